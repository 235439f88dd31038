import { signal } from "@preact/signals";
import { go } from "../base/routes.ts";

/*
 * Keys. A control says which key presses it: data-key="n".
 */

/** What the keys do, for the list of shortcuts. */
export const shortcuts: [string, string][] = [
  ["Ctrl K", "Go to anything"],
  ["/", "Who gets in?"],
  ["F", "Filter"],
  ["J, K", "Next, previous"],
  ["Enter", "Open"],
  ["E", "Edit"],
  ["N", "New"],
  ["U", "Undo"],
  ["Ctrl Enter", "Review, or apply"],
  ["Esc", "Close, or go back"],
  ["?", "These shortcuts"],
];

export const shortcutsOpen = signal(false);
export const paletteOpen = signal(false);

/** Whether single letters are shortcuts. */
export const hasLetters = signal(localStorage.getItem("letters") !== "off");
hasLetters.subscribe((value) => localStorage.setItem("letters", value ? "on" : "off"));

/** Handles a key that was pressed anywhere. */
export function onKey(event: KeyboardEvent): void {
  const { target } = event;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "k" && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    paletteOpen.value = true;
    return;
  }
  if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) return press("enter", event);
  const isField = target instanceof Element && target.matches("input, textarea, select");
  if (isField) {
    if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
    return;
  }
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.key === "Escape") return press("escape", event);
  if (!hasLetters.value) return;
  if (event.key === "?") shortcutsOpen.value = true;
  else if (event.key === "/" && !document.querySelector('[data-key="/"]')) go("#/");
  else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (/^[a-z/]$/.test(event.key)) press(event.key, event);
}

/** Clicks the control with a key, or focuses the field. */
function press(key: string, event: KeyboardEvent): void {
  const controls = [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)];
  const control = controls.find((element) => element.checkVisibility());
  if (!control) return;
  event.preventDefault();
  control.focus();
  if (!control.matches("input")) control.click();
}

/** Focuses the next or the previous link of a list. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>("main .list .name a, main .row a")];
  const at = links.findIndex((link) => link === document.activeElement);
  links[at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}
