import { useId } from "preact/hooks";

/*
 * Fields of forms.
 */

interface Option {
  value: string;
  text: string;
}

/** A line of text, and what the browser checks of it. */
export function Text(props: {
  label: string;
  value: string;
  set: (value: string) => void;
  isMono?: true;
  type?: "text" | "number" | "password";
  required?: boolean;
  min?: number;
  max?: number;
  step?: number | "any";
  pattern?: string;
  placeholder?: string;
  maxLength?: number;
}) {
  const id = useId();
  const { label, set, isMono, ...others } = props;
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        {...others}
        id={id}
        class={isMono ? "input mono" : "input"}
        dir="auto"
        autocomplete={others.type === "password" ? "new-password" : "off"}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </>
  );
}

/** One of several options. */
export function Choice(props: {
  label: string;
  value: string;
  options: Option[];
  set: (value: string) => void;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        class="input"
        value={props.value}
        onChange={(event) => props.set(event.currentTarget.value)}
      >
        {props.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}

/** Any number of options. */
export function Choices(props: {
  label: string;
  values: string[];
  options: Option[];
  set: (values: string[]) => void;
}) {
  return (
    <fieldset class="choices">
      <legend>{props.label}</legend>
      {props.options.map(({ value, text }) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            checked={props.values.includes(value)}
            onChange={(event) =>
              props.set(
                event.currentTarget.checked
                  ? [...props.values, value]
                  : props.values.filter((other) => other !== value),
              )
            }
          />{" "}
          <bdi>{text}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

/** Several lines of text. */
export function LongText(props: {
  label: string;
  value: string;
  set: (value: string) => void;
  rows?: number;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{props.label}</label>
      <textarea
        id={id}
        class="input mono"
        rows={props.rows ?? 8}
        spellcheck={false}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
    </>
  );
}
