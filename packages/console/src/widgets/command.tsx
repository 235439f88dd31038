import { useEffect, useState } from "preact/hooks";
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

/** A command to copy. Lines of the shell begin with a sign that is not copied. @param prepare makes the text to copy, if it differs @param onCopied called even if the browser did not allow it */
export function Command(props: {
  text: string;
  isShell?: true;
  label?: string;
  prepare?: () => Promise<string>;
  onCopied?: () => void;
}) {
  const [outcome, setOutcome] = useBrief();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.prepare ? await props.prepare() : props.text);
      setOutcome("Copied");
    } catch (error) {
      setOutcome(error instanceof RequestFailure ? error.message : "The browser did not allow it");
    }
    props.onCopied?.();
  };
  return (
    <div class="cmd">
      <code>
        {props.isShell && (
          <span class="t3" aria-hidden="true">
            ${" "}
          </span>
        )}
        {props.text}
      </code>
      <span class="meta" role="status">
        {outcome}
      </span>
      <button
        type="button"
        class="btn q s icon"
        aria-label={props.label ?? "Copy"}
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </div>
  );
}
