import { type ComponentChildren, createContext } from "preact";
import { useContext, useRef, useState } from "preact/hooks";
import { failureOf, type RequestFailure } from "../api/errors.ts";
import { Problem } from "./page.tsx";

/*
 * What is wrong with the fields of forms. What the service rejects is shown at the field whose name its pointer begins with.
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
  return own.length === 0 ? undefined : [...new Set(own.map(({ msg }) => msg))].join(" ");
}

/** What no input shows of a failed request. It comes after all inputs. */
export function Rest() {
  const { failure, shown } = useContext(Rejections);
  if (!failure) return null;
  const fields = failure.fields.filter((field) => ![...shown].some((name) => isIn(name, field)));
  if (failure.fields.length > 0 && fields.length === 0) return null;
  return <Problem error={failure} fields={fields} />;
}

/**
 * A field's error message, which is the service's or its own fault, and the attributes of the field's element. Faults do not appear when
 * the field loses the focus, because that would move the button that is being clicked.
 */
export function useFault({ name, fault }: { name?: string; fault?: string | undefined }) {
  const { isTried } = useContext(Rejections);
  const rejection = useRejection(name);
  return {
    text: fault === undefined ? rejection : isTried ? fault : undefined,
    element: { "data-wrong": fault === undefined ? undefined : "" },
  };
}

/** What the browser finds wrong with an input, in the console's words. */
function invalidityOf(input: EventTarget | null): string {
  if (!(input instanceof HTMLInputElement)) return "Enter a value.";
  const { validity, type, min, max, title } = input;
  const isTime = type.startsWith("date");
  if (validity.badInput) return isTime ? "Enter the whole date, or leave it empty." : "Enter a number.";
  if (validity.valueMissing) return type === "checkbox" ? "Tick this box." : "Enter a value.";
  if (validity.patternMismatch) return title;
  if (isTime) return "Enter a year with four digits.";
  if (validity.rangeOverflow || validity.rangeUnderflow) return `Enter a number from ${min} to ${max}.`;
  return "Enter a whole number.";
}

/**
 * What the browser finds wrong when the form is sent, and the attributes of the element around the input. The input takes its value at
 * `input`, too: the message is removed then, and the input is drawn with its old value if it waits for `change`.
 */
export function useInvalidity() {
  const [text, setText] = useState<string>();
  return {
    text,
    around: {
      onInput: () => setText(undefined),
      onInvalidCapture: (event: Event) => {
        // The message appears at the field, and not as the browser's own.
        event.preventDefault();
        setText(invalidityOf(event.target));
      },
    },
  };
}
