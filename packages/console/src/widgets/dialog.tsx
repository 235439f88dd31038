import { signal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { guards } from "../base/routes.ts";
import { FieldErrors, focusWrong, Rest } from "./faults.tsx";

/** What gets the focus in a form. */
const FIELDS = "input, textarea, select";

/** The forms that ask before they discard input. */
const ASKING = "form:has(> footer)";

/** The dialogs whose contents would be lost by leaving the page. */
export const UNSAVED = "dialog[data-unsaved]";

/** How many dialogs are open. */
const openDialogs = signal(0);

/**
 * Finds an object in a list. While a dialog is open, an object that somebody else has deleted is still found, so that its page keeps the
 * dialog in which it is edited. The service rejects what is entered there, with the reason.
 *
 * @param isEdited whether the object is edited, if not in a dialog
 */
export function useListed<T extends { id: string }>(
  list: T[] | undefined,
  id: string | null,
  isEdited = openDialogs.value > 0,
): T | undefined {
  const last = useRef<T>();
  const known = isEdited && last.current?.id === id ? last.current : undefined;
  last.current = list?.find((one) => one.id === id) ?? known;
  return last.current;
}

/**
 * A modal dialog. The browser keeps the focus inside, and restores it when the dialog closes. Esc calls `close`. A form with input asks
 * first, and so does the browser's Back button. A reload lets the browser ask.
 */
export function Dialog(props: {
  title: string;
  close?: (() => void) | undefined;
  /** Whether the dialog shows something that is not shown again. `close` then asks. */
  isUnsaved?: boolean;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [asking, setAsking] = useState<"close" | "back">();
  const leave = (how: "close" | "back"): void => {
    if (dialog.current?.matches(UNSAVED) && !props.isUnsaved) setAsking(how);
    else props.close?.();
  };
  useStay(dialog, () => leave("back"));
  // Before the browser paints: an effect after that takes the focus from somebody who already types into another field.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const own = dialog.current;
    own?.showModal();
    openDialogs.value++;
    own?.querySelector<HTMLElement>(FIELDS)?.focus();
    return () => {
      // Nothing outside of an open modal dialog can have the focus.
      own?.close();
      openDialogs.value--;
      const isThere = opener instanceof HTMLElement && opener.isConnected;
      (isThere ? opener : document.querySelector<HTMLElement>("main h1"))?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      class={props.class ?? ""}
      data-unsaved={props.isUnsaved || undefined}
      onKeyDown={(event) => {
        // Browsers close a dialog at the second Esc in a row, even if a `cancel` handler prevents it.
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        leave("close");
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave("close");
      }}
    >
      <header>
        <h2 id={title}>{props.title}</h2>
      </header>
      {props.children}
      {asking && (
        <Discard stay={() => setAsking(undefined)}>
          <button
            type="button"
            class="btn danger"
            onClick={() => {
              dialog.current?.removeAttribute("data-unsaved");
              props.close?.();
              if (asking === "back") history.back();
            }}
          >
            Discard
          </button>
        </Discard>
      )}
    </dialog>
  );
}

/** Notes input of a dialog, and stays on the page while it is unsaved. @param ask called when the user leaves. Before a reload, the browser asks */
function useStay(dialog: RefObject<HTMLDialogElement>, ask: () => void): void {
  useLayoutEffect(() => {
    const own = dialog.current;
    const ending = new AbortController();
    const { signal } = ending;
    const note = ({ target, type }: Event): void => {
      // A click on a field enters nothing yet.
      const from = type === "click" ? `${ASKING} > .form button` : ASKING;
      if (target instanceof Element && target.closest(from)) own?.setAttribute("data-unsaved", "");
    };
    const isUnsaved = (): boolean => own?.matches(UNSAVED) ?? false;
    const guard = (): boolean => {
      if (isUnsaved()) ask();
      return isUnsaved();
    };
    // Captured, because some buttons remove themselves.
    for (const type of ["input", "drop", "click"])
      own?.addEventListener(type, note, { signal, capture: true });
    addEventListener("beforeunload", (event) => isUnsaved() && event.preventDefault(), { signal });
    guards.add(guard);
    return () => {
      guards.delete(guard);
      ending.abort();
    };
  });
}

/** Asks whether to discard input. @param children the button or the link that discards it */
const Discard = ({ stay, children }: { stay: () => void; children: ComponentChildren }) => (
  <Dialog title="Discard what you entered?" close={stay}>
    <DialogFooter>
      <button type="button" class="btn" onClick={stay}>
        Keep editing
      </button>
      {children}
    </DialogFooter>
  </Dialog>
);

/** A link that cancels a page's form and opens another page. If the form was edited, it asks first. */
export function CancelLink({
  href,
  isEdited,
  discard,
}: {
  href: string;
  isEdited: boolean;
  /** Called before the other page is opened. */
  discard?: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <a
        class="btn q"
        href={href}
        onClick={(event) => {
          if (!isEdited) return discard?.();
          event.preventDefault();
          setAsking(true);
        }}
      >
        Cancel
      </a>
      {isAsking && (
        <Discard stay={() => setAsking(false)}>
          <a class="btn danger" href={href} onClick={discard}>
            Discard
          </a>
        </Discard>
      )}
    </>
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
  /** The chosen part, if the form has several. What is wrong with a part is only shown there. */
  part?: string;
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
  const [tried, setTried] = useState<{ part: string | undefined; error?: unknown }>();
  const [isBusy, setBusy] = useState(false);
  const { part } = props;
  const own = tried?.part === part ? tried : undefined;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>(FIELDS)?.focus(), []);
  const send = async (): Promise<void> => {
    setTried({ part });
    if (form.current?.querySelector("[data-wrong]")) {
      setTimeout(() => focusWrong(form.current));
      return;
    }
    setBusy(true);
    try {
      await props.submit();
    } catch (error) {
      setTried({ part, error });
      // The first rejected field, once it is marked.
      setTimeout(() => focusWrong(form.current));
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
      onInvalidCapture={() => setTimeout(() => focusWrong(form.current))}
    >
      <FieldErrors error={own?.error} isTried={own !== undefined}>
        <div class="form inside-dialog">
          {props.children}
          <Rest />
        </div>
      </FieldErrors>
      <footer>
        {props.aside}
        <span class="push" />
        <button
          type="button"
          class="btn"
          onClick={({ currentTarget }) => currentTarget.closest("dialog")?.dispatchEvent(new Event("cancel"))}
        >
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
