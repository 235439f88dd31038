import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useFault, useInvalidity } from "./faults.tsx";
import { Icon } from "./icons.tsx";

/*
 * Fields of forms.
 */

interface Named {
  label: string;
  /** The field of the request. */
  name?: string;
  hint?: ComponentChildren;
  /** An error message for the value, which is shown once the user tries to send the form. */
  fault?: string | undefined;
}

/** The latest time and the latest date of inputs. Without one, browsers accept years with six digits. */
const LATEST = { "datetime-local": "9999-12-31T23:59:59", date: "9999-12-31" };

/** A label, its input, a hint, and what is wrong. @param children gets the attributes of the input */
function Field(
  props: Named & {
    children: (attributes: {
      id: string;
      "aria-describedby": string | undefined;
      "aria-invalid": boolean;
    }) => ComponentChildren;
  },
) {
  const id = useId();
  const { text, element } = useFault(props);
  const { text: invalidity, around } = useInvalidity();
  const rejection = text ?? invalidity;
  const described = [
    ...(props.hint === undefined ? [] : [`${id}-hint`]),
    ...(rejection === undefined ? [] : [`${id}-error`]),
  ].join(" ");
  return (
    <div class="field" {...element} {...around}>
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": rejection !== undefined,
      })}
      {props.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <Rejection id={`${id}-error`} text={rejection} />
    </div>
  );
}

/** A field's error message, below the field. */
export function Rejection({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error" id={id}>
      <Icon name="warn" />
      <span>{text}</span>
    </p>
  );
}

const named = ({ label, name, hint, fault }: Named): Named => ({
  label,
  fault,
  ...(name !== undefined && { name }),
  ...(hint !== undefined && { hint }),
});

/** An option of a choice. */
export interface Option {
  value: string;
  text: string;
  note?: string;
}

/** A line of text, and what the browser checks of it. */
export function Text(
  props: Named & {
    value: string;
    set: (value: string) => void;
    isMono?: true;
    type?: "text" | "number" | "password" | "date" | "datetime-local";
    required?: boolean;
    min?: number | string;
    max?: number;
    step?: number | "any";
    pattern?: string;
    /** What is wrong with a value that does not match the pattern. */
    title?: string;
    placeholder?: string;
    maxLength?: number;
  },
) {
  const { label, name, hint, fault, set, isMono, ...others } = props;
  return (
    <Field {...named(props)}>
      {(attributes) => (
        <input
          {...(others.type === "date" || others.type === "datetime-local"
            ? { max: LATEST[others.type] }
            : {})}
          {...others}
          {...attributes}
          class={isMono ? "input mono" : "input"}
          dir="auto"
          spellcheck={false}
          autocomplete={others.type === "password" ? "new-password" : "off"}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A list that opens. */
export function Select({
  options,
  set,
  ...attributes
}: {
  value: string;
  options: Option[];
  set: (value: string) => void;
  required?: boolean;
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean;
}) {
  return (
    <span class="select">
      <select {...attributes} class="input" onInput={(event) => set(event.currentTarget.value)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="open" />
    </span>
  );
}

/** The options, then the chosen values that are no longer options: otherwise, nobody could remove them. */
const withDeleted = (options: Option[], values: string[]): Option[] => [
  ...options,
  ...values
    .filter((value) => value !== "" && !options.some((option) => option.value === value))
    .map((value) => ({ value, text: `${value} (deleted)` })),
];

/** One of several options. */
export function Choice(
  props: Named & { value: string; options: Option[]; set: (value: string) => void; required?: boolean },
) {
  return (
    <Field {...named(props)}>
      {(attributes) => (
        <Select
          {...attributes}
          {...(props.required !== undefined && { required: props.required })}
          value={props.value}
          options={withDeleted(props.options, [props.value])}
          set={props.set}
        />
      )}
    </Field>
  );
}

/** One of a few options, all of which are shown. */
export function Segments(props: Named & { value: string; options: Option[]; set: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field" role="group" aria-labelledby={id}>
      <b id={id}>{props.label}</b>
      <div class="seg">
        {props.options.map(({ value, text }) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === props.value}
            onClick={() => props.set(value)}
          >
            {text}
          </button>
        ))}
      </div>
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
    </div>
  );
}

/** Checkboxes under one label. */
export function Ticks(
  props: Named & {
    /** Shown instead of checkboxes, if there are none. */
    none?: ComponentChildren;
    children: ComponentChildren[];
  },
) {
  const id = useId();
  const { text, element } = useFault(props);
  return (
    <fieldset class="field" {...element} aria-describedby={text === undefined ? undefined : id}>
      <legend>{props.label}</legend>
      {props.children.length > 0 ? <div class="ticks">{props.children}</div> : <p class="t3">{props.none}</p>}
      {props.hint !== undefined && <p class="hint">{props.hint}</p>}
      <Rejection id={id} text={text} />
    </fieldset>
  );
}

/** Any number of options. */
export function Choices(
  props: Named & {
    values: string[];
    options: Option[];
    set: (values: string[]) => void;
    /** In place of options, if there are none. */
    none?: ComponentChildren;
  },
) {
  const { values, options, set, ...others } = props;
  return (
    <Ticks {...others}>
      {withDeleted(options, values).map(({ value, text }) => (
        <Tick
          key={value}
          label={<bdi>{text}</bdi>}
          value={values.includes(value)}
          set={(isChosen) => set(isChosen ? [...values, value] : values.filter((other) => other !== value))}
        />
      ))}
    </Ticks>
  );
}

/** A box to tick. */
export function Tick(props: {
  label: ComponentChildren;
  value: boolean;
  set: (value: boolean) => void;
  isRequired?: boolean;
  fault?: string | undefined;
}) {
  const id = useId();
  const { text: fault, element } = useFault({ fault: props.fault });
  const { text: invalidity, around } = useInvalidity();
  const text = fault ?? invalidity;
  const tick = (
    <label class="check">
      <input
        type="checkbox"
        class="tick"
        required={props.isRequired}
        checked={props.value}
        aria-describedby={text === undefined ? undefined : id}
        onInput={(event) => props.set(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
  // Adding or removing an element around the checkbox would take its focus.
  if (!("fault" in props) && !props.isRequired) return tick;
  return (
    <div class="field" {...element} {...around}>
      {tick}
      <Rejection id={id} text={text} />
    </div>
  );
}

/** Several lines of text. */
export function LongText(
  props: Named & {
    value: string;
    set: (value: string) => void;
    rows?: number;
    placeholder?: string;
    required?: boolean;
  },
) {
  const { label, name, hint, fault, set, rows = 8, ...others } = props;
  return (
    <Field {...named(props)}>
      {(attributes) => (
        <textarea
          {...others}
          {...attributes}
          class="input mono"
          rows={rows}
          spellcheck={false}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
