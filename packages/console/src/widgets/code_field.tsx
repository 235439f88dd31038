import type { RefObject } from "preact";
import { Sign } from "./state.tsx";

/** What is wrong in a line, from 1. */
export interface CodeMark {
  line: number;
  tone: "bad" | "warn";
  /** Where in the line, as indexes; undefined if the whole line is meant. */
  from?: number;
  to?: number;
}

/** The fewest lines that the field shows. */
const FEWEST = 16;

/** A field for code: line numbers, and signs, tints and wavy lines where something is wrong. Lines do not wrap. */
export function CodeField(props: {
  field: RefObject<HTMLTextAreaElement>;
  label: string;
  describedBy: string;
  value: string;
  set: (value: string) => void;
  marks: CodeMark[];
  placeholder: string;
  isReadOnly: boolean;
}) {
  const { value, marks } = props;
  const lines = value.split("\n");
  const worst = new Map<number, CodeMark>();
  for (const mark of marks) if (worst.get(mark.line)?.tone !== "bad") worst.set(mark.line, mark);
  return (
    <div class="code">
      <ol aria-hidden="true">
        {lines.map((_, index) => {
          const tone = worst.get(index + 1)?.tone;
          return (
            <li key={index} class={tone}>
              {tone && <Sign tone={tone} {...(tone === "warn" && { sign: "triangle" })} />}
              {index + 1}
            </li>
          );
        })}
      </ol>
      <div class="text">
        <pre aria-hidden="true">
          {lines.map((line, index) => (
            <Marked key={index} line={line} mark={worst.get(index + 1)} />
          ))}
        </pre>
        <textarea
          ref={props.field}
          class="mono"
          aria-label={props.label}
          aria-describedby={props.describedBy}
          aria-invalid={marks.some(({ tone }) => tone === "bad")}
          spellcheck={false}
          wrap="off"
          readOnly={props.isReadOnly}
          rows={Math.max(FEWEST, lines.length)}
          placeholder={props.placeholder}
          value={value}
          onInput={(event) => props.set(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

/** A line behind the text of the field, which draws only what is wrong in it. */
function Marked({ line, mark }: { line: string; mark: CodeMark | undefined }) {
  const { from, to, tone } = mark ?? {};
  if (from === undefined || to === undefined) return <span class={tone}>{`${line}\n`}</span>;
  return (
    <span class={tone}>
      {line.slice(0, from)}
      <u>{line.slice(from, to)}</u>
      {`${line.slice(to)}\n`}
    </span>
  );
}

/** Changes a field's text to another one as if somebody had typed what differs, so that the browser can undo it. */
export function typeInto(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return;
  const { value } = field;
  const shorter = Math.min(value.length, text.length);
  let from = 0;
  while (from < shorter && value[from] === text[from]) from += 1;
  let same = 0;
  while (same < shorter - from && value.at(-1 - same) === text.at(-1 - same)) same += 1;
  field.focus();
  field.setSelectionRange(from, value.length - same);
  const typed = text.slice(from, text.length - same);
  // Deprecated, but the only way that keeps what the browser can undo.
  if (document.execCommand(typed === "" ? "delete" : "insertText", false, typed)) return;
  field.setRangeText(typed);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
