import type { RefObject } from "preact";
import { Sign } from "./state.tsx";

/** What is wrong in a line, from 1, at a column, from 1, if it is known. */
export interface CodeMark {
  line: number;
  column: number | null;
  tone: "bad" | "warn";
}

/** The fewest lines that the field shows. */
const FEWEST = 16;

/** The word at a column, from 1: a name, or a single character. */
export const wordAt = (line: string, column: number): string =>
  /^(?:[\w.$-]+|.)/u.exec(line.slice(column - 1))?.[0] ?? "";

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
  const column = mark?.column ?? null;
  if (column === null) return <span class={mark?.tone}>{`${line}\n`}</span>;
  const word = wordAt(line, column);
  return (
    <span class={mark?.tone}>
      {line.slice(0, column - 1)}
      <u>{word}</u>
      {`${line.slice(column - 1 + word.length)}\n`}
    </span>
  );
}
