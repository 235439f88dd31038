const CONTROLS = "button, select";

/** Moves the focus from the button of a row that it removes: to the next row, the previous row, what is left of the form, or the page. */
export function focusNear(button: HTMLElement): void {
  const row = button.closest(".row, .bar");
  const near = [row?.nextElementSibling, row?.previousElementSibling, row?.closest("fieldset")];
  setTimeout(() => {
    const controls = near.flatMap((one) => (one?.isConnected ? controlsIn(one) : []));
    (controls[0] ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  });
}

/** The controls of a row, the last one first, or the row if it is a control. */
const controlsIn = (row: Element): HTMLElement[] =>
  [row, ...row.querySelectorAll(CONTROLS)]
    .filter((one) => one instanceof HTMLElement)
    .filter((one) => one.matches(CONTROLS))
    .toReversed();
