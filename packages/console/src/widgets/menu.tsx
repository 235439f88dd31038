import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

/** An item of a menu, or a heading of the items after it. */
export type MenuItem =
  | { heading: string }
  | { text: string; note?: string | undefined; isBad?: true; run: () => void }
  | { text: string; isChosen: boolean; run: () => void };

/** The least distance between a menu and the edges of the window, and between it and its button. */
const [MARGIN, GAP] = [8, 4];

/** Places a menu below its button, or above it if there is more room, within the window. */
function placeAt(button: HTMLElement | null, menu: HTMLElement | null): void {
  if (!button || !menu) return;
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isBelow = bottom + GAP + height + MARGIN <= innerHeight || innerHeight - bottom > top;
  const room = isBelow ? innerHeight - bottom - GAP - MARGIN : top - GAP - MARGIN;
  // It is aligned with the side of the button that is nearer to the edge of the window.
  const start = left < innerWidth - right ? left : right - width;
  menu.style.left = `${Math.max(MARGIN, Math.min(start, innerWidth - width - MARGIN))}px`;
  menu.style.top = `${isBelow ? bottom + GAP : Math.max(MARGIN, top - GAP - height)}px`;
  menu.style.maxHeight = `${room}px`;
}

/** Closes an open menu when somebody presses elsewhere, or scrolls what is behind it. */
function useClosing(isOpen: boolean, box: RefObject<HTMLElement>, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const isOutside = ({ target }: Event): boolean =>
      !(target instanceof Node && box.current?.contains(target));
    const onEvent = (event: Event): void => {
      if (isOutside(event)) close();
    };
    addEventListener("pointerdown", onEvent);
    addEventListener("scroll", onEvent, { capture: true, passive: true });
    return () => {
      removeEventListener("pointerdown", onEvent);
      removeEventListener("scroll", onEvent, { capture: true });
    };
  }, [isOpen]);
}

/** A button that opens a menu. Arrow keys move in it, Esc closes it. */
export function Menu(props: {
  /** The name of the button. */
  label: string;
  /** What the button shows, if not its name. */
  face?: ComponentChildren;
  class?: string;
  items: MenuItem[];
}) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const items = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
  ];
  useLayoutEffect(() => {
    if (!isOpen) return;
    placeAt(button.current, menu.current);
    items()[0]?.focus({ preventScroll: true });
  }, [isOpen]);
  useClosing(isOpen, box, () => setOpen(false));
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to === undefined) return;
    else all.at(to % all.length)?.focus();
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu-box" ref={box}>
      <button
        type="button"
        ref={button}
        class={props.class ?? "btn"}
        aria-label={props.face === undefined ? undefined : props.label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {props.face ?? props.label}
      </button>
      {isOpen && (
        <div
          class="menu"
          ref={menu}
          role="menu"
          tabIndex={-1}
          id={id}
          aria-label={props.label}
          onKeyDown={onKeyDown}
        >
          {props.items.map((item) => (
            <Item key={"heading" in item ? item.heading : item.text} item={item} close={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  if ("heading" in item)
    return (
      <div class="mh" role="presentation">
        {item.heading}
      </div>
    );
  const isChosen = "isChosen" in item && item.isChosen;
  return (
    <button
      type="button"
      tabIndex={-1}
      class={"isBad" in item && item.isBad ? "bad" : ""}
      {...("isChosen" in item
        ? { role: "menuitemradio" as const, "aria-checked": isChosen }
        : { role: "menuitem" as const })}
      onClick={() => {
        close();
        item.run();
      }}
    >
      {isChosen ? `✓ ${item.text}` : item.text}
      {"note" in item && item.note !== undefined && <small>{item.note}</small>}
    </button>
  );
}
