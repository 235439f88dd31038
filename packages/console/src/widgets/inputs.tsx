import { type ComponentChildren, createContext } from "preact";
import { useContext, useId, useRef } from "preact/hooks";
import { failureOf, type RequestFailure } from "../api/errors.ts";
import { Icon } from "./icons.tsx";
import { Problem } from "./page.tsx";

/*
 * Fields of forms. What the service rejects is shown at the field whose name its pointer begins with.
 */

interface Rejected {
  path: string;
  msg: string;
}

/** The rejected fields, the names of the inputs that show their own errors, and whether the user has tried to send the form. */
const Rejections = createContext<{
  failure: RequestFailure | undefined;
  shown: Set<string>;
  isTried: boolean;
}>({ failure: undefined, shown: new Set(), isTried: false });

/**
 * Shows the rejected fields of a failed request at the inputs within. {@link Rest} shows the others.
 *
 * @param props.isTried true if the user has tried to send the form, so inputs show their faults
 */
export function FieldErrors(props: { error?: unknown; isTried?: boolean; children: ComponentChildren }) {
  const { error, isTried = false, children } = props;
  const failure = error === undefined ? undefined : failureOf(error);
  // The inputs add their names when they first appear, which is before anything can be rejected.
  const shown = useRef(new Set<string>()).current;
  return <Rejections.Provider value={{ failure, shown, isTried }}>{children}</Rejections.Provider>;
}

/** Moves the focus to the first invalid field, or else to the form's error message. Returns true if a field is invalid. */
export function focusWrong(form: HTMLElement | null): boolean {
  const field = form?.querySelector(".field:is([data-wrong], :has(> .error))");
  const input = field?.querySelector<HTMLElement>("input, textarea, select, button");
  const alert = form?.querySelector<HTMLElement>('[role="alert"]');
  if (alert) alert.tabIndex = -1;
  (input ?? alert)?.focus();
  return input !== null && input !== undefined;
}

/** Shows the rejected fields of an inner object at the inputs within. @param name the field that has the object */
export function FieldsIn({ name, children }: { name: string; children: ComponentChildren }) {
  return <Prefix.Provider value={`${name}/`}>{children}</Prefix.Provider>;
}

const Prefix = createContext("");

/** Whether a JSON pointer leads to a field, or into it. */
const isIn = (name: string, { path }: Rejected): boolean =>
  path === `/${name}` || path.startsWith(`/${name}/`);

/** What the service says of a field. @param field the beginning of its JSON pointer, without the first slash */
function useRejection(field: string | undefined): string | undefined {
  const { failure, shown } = useContext(Rejections);
  const prefix = useContext(Prefix);
  if (field === undefined) return undefined;
  const name = prefix + field;
  shown.add(name);
  const own = failure?.fields.filter((one) => isIn(name, one)) ?? [];
  return own.length === 0 ? undefined : own.map(({ msg }) => msg).join(" ");
}

/** What no input shows of a failed request. It comes after all inputs. */
export function Rest() {
  const { failure, shown } = useContext(Rejections);
  if (!failure) return null;
  const fields = failure.fields.filter((field) => ![...shown].some((name) => isIn(name, field)));
  if (failure.fields.length > 0 && fields.length === 0) return null;
  return <Problem error={failure} fields={fields} />;
}

interface Named {
  label: string;
  /** The field of the request. */
  name?: string;
  hint?: ComponentChildren;
  /** An error message for the value, which is shown once the user tries to send the form. */
  fault?: string | undefined;
}

/**
 * A field's error message, which is the service's or its own fault, and the attributes of the field's element. Faults do not appear when
 * the field loses the focus, because that would move the button that is being clicked.
 */
function useFault({ name, fault }: Named) {
  const { isTried } = useContext(Rejections);
  const rejection = useRejection(name);
  return {
    text: fault === undefined ? rejection : isTried ? fault : undefined,
    element: { "data-wrong": fault === undefined ? undefined : "" },
  };
}

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
  const { text: rejection, element } = useFault(props);
  const described = [
    ...(props.hint === undefined ? [] : [`${id}-hint`]),
    ...(rejection === undefined ? [] : [`${id}-error`]),
  ].join(" ");
  return (
    <div class="field" {...element}>
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
    placeholder?: string;
    maxLength?: number;
  },
) {
  const { label, name, hint, fault, set, isMono, ...others } = props;
  return (
    <Field {...named(props)}>
      {(attributes) => (
        <input
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
      <select {...attributes} class="input" onChange={(event) => set(event.currentTarget.value)}>
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
          options={props.options}
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
      {options.map(({ value, text }) => (
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
  const { text, element } = useFault({ label: "", fault: props.fault });
  const tick = (
    <label class="check">
      <input
        type="checkbox"
        class="tick"
        required={props.isRequired}
        checked={props.value}
        aria-describedby={text === undefined ? undefined : id}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
  // Adding or removing an element around the checkbox would take its focus.
  if (!("fault" in props)) return tick;
  return (
    <div class="field" {...element}>
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
