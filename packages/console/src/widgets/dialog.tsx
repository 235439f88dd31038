import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** A modal dialog. The browser keeps the focus inside; it then goes back to where it was. `close` is called for Esc. */
export function Dialog(props: {
  title: string;
  close?: (() => void) | undefined;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const own = dialog.current;
    own?.showModal();
    own?.querySelector<HTMLElement>("form input, form textarea, form select")?.focus();
    return () => {
      // Nothing outside of an open modal dialog can have the focus.
      own?.close();
      const isThere = opener instanceof HTMLElement && opener.isConnected;
      (isThere ? opener : document.querySelector<HTMLElement>("main h1"))?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      class={props.class ?? ""}
      onCancel={(event) => {
        event.preventDefault();
        props.close?.();
      }}
    >
      <header>
        <h2 id={title}>{props.title}</h2>
        {props.close && (
          <button type="button" class="btn q" onClick={props.close} aria-label="Close">
            <span aria-hidden="true">✕</span>
          </button>
        )}
      </header>
      {props.children}
    </dialog>
  );
}
