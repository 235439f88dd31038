import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { FieldErrors, Rest } from "./inputs.tsx";

/** What gets the focus in a form. */
const FIELDS = "input, textarea, select";

/** A modal dialog. The browser keeps the focus inside; it then goes back to where it was. `close` is called for Esc. */
export function Dialog(props: {
  title: string;
  close?: (() => void) | undefined;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  // Before the browser paints: an effect after that takes the focus from somebody who already types into another field.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const own = dialog.current;
    own?.showModal();
    own?.querySelector<HTMLElement>(FIELDS)?.focus();
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
      </header>
      {props.children}
    </dialog>
  );
}

/** The buttons at the end of a dialog without a form. */
export const DialogFooter = ({ children }: { children: ComponentChildren }) => <footer>{children}</footer>;

interface FormProps {
  /** The button that sends the form. */
  verb: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  close: () => void;
  submit: () => Promise<unknown> | void;
  /** Beside the buttons, on the left. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A dialog with a form: see {@link DialogForm}. */
export function FormDialog({ title, class: of, ...form }: FormProps & { title: string; class?: string }) {
  return (
    <Dialog title={title} close={form.close} {...(of !== undefined && { class: of })}>
      <DialogForm {...form} />
    </Dialog>
  );
}

/**
 * The form of a dialog. While its request runs, nothing can be sent again; what the service rejects is shown at its field, or above the
 * buttons.
 *
 * @param submit sends the form; resolves once it is done. @throws RequestFailure
 */
export function DialogForm(props: FormProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>(FIELDS)?.focus(), []);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await props.submit();
    } catch (error) {
      setError(error);
      // The first rejected field, once it is marked.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      <FieldErrors error={error}>
        <div class="form inside-dialog">
          {props.children}
          <Rest />
        </div>
      </FieldErrors>
      <footer>
        {props.aside}
        <span class="push" />
        <button type="button" class="btn" onClick={props.close}>
          Cancel
        </button>
        <button
          type="submit"
          class={props.isDangerous ? "btn danger" : "btn p"}
          disabled={isBusy || props.isDisabled === true}
        >
          {props.verb}
        </button>
      </footer>
    </form>
  );
}
