import { useEffect, useRef, useState } from "preact/hooks";
import { RequestFailure } from "../api/errors.ts";
import { Icon } from "./icons.tsx";

/** A text that goes away after three seconds, and the function that sets it. */
export function useBrief(): [string, (text: string) => void] {
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(""), 3_000);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** Selects an element's text, so that the user can copy it by hand. */
const select = (element: HTMLElement | null): unknown =>
  element && getSelection()?.selectAllChildren(element);

/**
 * A command to copy. Shell lines start with a prompt that is not copied.
 *
 * @param props.prepare makes the text to copy, if it differs from the shown text
 * @param props.onCopied called once the text is copied, even by hand
 */
export function Command(props: {
  text: string;
  isShell?: true;
  label?: string;
  prepare?: () => Promise<string>;
  onCopied?: () => void;
}) {
  const [outcome, setOutcome] = useBrief();
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const text = useRef<HTMLSpanElement>(null);
  const copy = async (): Promise<void> => {
    setBusy(true);
    setFailure("");
    try {
      await navigator.clipboard.writeText(props.prepare ? await props.prepare() : props.text);
      setOutcome("Copied");
      props.onCopied?.();
    } catch (error) {
      if (error instanceof RequestFailure) setFailure(error.message);
      else {
        setFailure("The browser blocked copying. The text is selected: copy it by hand.");
        // Wait until the prepared text is shown.
        setTimeout(() => select(text.current));
      }
    }
    setBusy(false);
  };
  return (
    <>
      <div class="cmd">
        <code onCopy={props.onCopied}>
          {props.isShell && (
            <span class="t3" aria-hidden="true">
              ${" "}
            </span>
          )}
          <span ref={text}>{props.text}</span>
        </code>
        <span class="meta" role="status">
          {outcome}
        </span>
        <button
          type="button"
          class="btn q s icon"
          aria-label={props.label ?? "Copy"}
          disabled={isBusy}
          onClick={() => void copy()}
        >
          <Icon name="copy" />
        </button>
      </div>
      {failure !== "" && (
        <p class="meta" role="alert">
          {failure}
        </p>
      )}
    </>
  );
}
