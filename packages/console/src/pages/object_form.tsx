import { useState } from "preact/hooks";
import { type Fields, isFields } from "../api/client.ts";
import { rulesIn, textOf } from "../changes/diff.ts";
import { type Field, valueOf } from "../changes/fields.ts";
import { metadata, newSecret } from "../changes/forms.ts";
import { faultOfHeaders, headersIn, headersText, linesIn, listText, wordsIn } from "../changes/lines.ts";
import { modules, rounded } from "../changes/modules.ts";
import { faultOfRules, rulesOnce, rulesText } from "../changes/typed_rules.ts";
import { Choice, LongText, Text, Tick } from "../widgets/inputs.tsx";
import { type InputProps, Order, Reference, References, Sources, Weights } from "./object_inputs.tsx";

/** The inputs of fields. @param set gets the name of a field and its value; undefined if it is empty */
export function Inputs(props: {
  fields: Field[];
  body: Fields;
  set: (name: string, value: unknown) => void;
}) {
  return (
    <>
      {metadataLast(props.fields).map((field) => (
        <Input
          key={field.name}
          field={inModule(field, props.body)}
          value={valueOf(props.body, field.name)}
          set={(value) => props.set(field.name, value)}
        />
      ))}
    </>
  );
}

/** The fields with the metadata at the end, after the fields of a target. */
const metadataLast = (fields: Field[]): Field[] =>
  fields.toSorted((a, b) => Number(a === metadata) - Number(b === metadata));

/** A field with a hint that is true of its module as it is: one that is off has no effect, and one without policies lets in nobody. */
function inModule({ hintIfNone, ...field }: Field, body: Fields): Field {
  const [name = "", inner] = field.name.split(".");
  const module = inner === undefined || !(name in modules) ? undefined : body[name];
  if (!isFields(module)) return { ...field, ...(hintIfNone !== undefined && { hintIfNone }) };
  if (module["enabled"] === false)
    return { ...field, hint: "It is off, whatever is chosen here. Its own form turns it on" };
  return name === "ip_restriction"
    ? { ...field, hintIfNone: "No policy is chosen, so nobody gets in" }
    : field;
}

/** The inputs of references to other objects, and of types of events. */
const ofObjects = {
  reference: Reference,
  references: References,
  weights: Weights,
  order: Order,
  sources: Sources,
};

type ListType = "headers" | "lines" | "rules" | "words";

const isList = (type: Field["type"]): type is ListType =>
  type === "headers" || type === "lines" || type === "rules" || type === "words";

const isOfObjects = (type: Field["type"]): type is keyof typeof ofObjects => type in ofObjects;

function Input(props: InputProps) {
  const { type } = props.field;
  if (isList(type)) return <ListInput {...props} type={type} />;
  if (!isOfObjects(type)) return <PlainInput {...props} type={type} />;
  const Chosen = ofObjects[type];
  return <Chosen {...props} />;
}

/** What all inputs of a field have. */
const commonOf = ({ label, name, hint, placeholder, isRequired: required = false }: Field) => ({
  label,
  name: name.replaceAll(".", "/"),
  ...(hint !== undefined && { hint }),
  required,
  ...(placeholder !== undefined && { placeholder }),
});

/** Lists, rules and headers, which are typed as text. */
function ListInput({ field, value, set, type }: InputProps & { type: ListType }) {
  const common = { ...commonOf(field), set };
  if (type === "headers")
    return <Typed {...common} isLong value={headersText(value)} read={headersIn} faultOf={faultOfHeaders} />;
  if (type === "rules") return <RulesInput {...common} value={value} />;
  if (type === "words")
    return (
      <Typed
        {...common}
        value={listText(value, ", ")}
        read={(text) => wordsIn(text) ?? field.empty}
        faultOf={(text) =>
          wordsIn(text)
            ?.map((word) => field.faultOf?.(word))
            .find(Boolean)
        }
      />
    );
  return (
    <Typed
      {...common}
      isLong
      value={listText(value, "\n")}
      read={linesIn}
      doubt={(text) =>
        linesIn(text)
          ?.map((line) => field.doubtOf?.(line))
          .find(Boolean)
      }
    />
  );
}

/** The rules of a new policy. */
function RulesInput({ value, ...common }: ReturnType<typeof commonOf> & Pick<InputProps, "value" | "set">) {
  const [known] = useState(() => rulesIn({ rules: value }));
  return (
    <Typed
      {...common}
      isLong
      value={rulesText(known)}
      read={(text) => rulesOnce(text, known).rules}
      faultOf={(text) => faultOfRules(rulesOnce(text))}
    />
  );
}

function PlainInput(
  props: InputProps & {
    type: Exclude<Field["type"], keyof typeof ofObjects | ListType>;
  },
) {
  const { field, value, set, type } = props;
  const { label, isRequired: required = false } = field;
  const common = commonOf(field);
  const orEmpty = (text: string): unknown => (text === "" ? field.empty : text);
  switch (type) {
    case "tick":
      return <Tick label={label} value={value === true} set={set} isRequired={required} />;
    case "long":
      return (
        <LongText
          {...common}
          {...(field.rows !== undefined && { rows: field.rows })}
          value={textOf(value)}
          set={(text) => set(orEmpty(text))}
        />
      );
    case "number":
    case "share": {
      const factor = type === "share" ? 100 : 1;
      return (
        <Text
          {...common}
          type="number"
          required
          min={field.min ?? 0}
          max={field.max ?? 4_294_967_295}
          step={type === "share" ? "any" : 1}
          value={value === undefined ? "" : String(rounded(Number(value) * factor))}
          set={(text) => set(text === "" ? undefined : rounded(Number(text) / factor))}
        />
      );
    }
    case "choice":
      return (
        <Choice
          {...common}
          value={textOf(value)}
          options={field.options ?? []}
          set={(text) => set(text === "" ? null : text)}
        />
      );
    case "made":
      return (
        <>
          <Text {...common} isMono value={textOf(value)} set={(text) => set(orEmpty(text))} />
          <button type="button" class="btn s start" onClick={() => set(newSecret())}>
            Make a new secret
          </button>
        </>
      );
    case "secret":
    case "text":
      return (
        <Text
          {...common}
          type={type === "secret" ? "password" : "text"}
          {...(field.isMono && { isMono: true })}
          {...(field.pattern && { pattern: field.pattern[0], title: field.pattern[1] })}
          value={textOf(value)}
          set={(text) => set(orEmpty(text))}
        />
      );
  }
}

/** A text as it is typed, of which only what can be read is the value. */
function Typed(props: {
  label: string;
  name: string;
  hint?: string;
  required: boolean;
  placeholder?: string;
  isLong?: boolean;
  value: string;
  read: (text: string) => unknown;
  /** What is wrong with a text. */
  faultOf?: (text: string) => string | undefined;
  /** What may be wrong with a text, in place of the hint. */
  doubt?: (text: string) => string | undefined;
  set: (value: unknown) => void;
}) {
  const { value, read, set, isLong, faultOf, doubt, ...rest } = props;
  const [text, setText] = useState(value);
  const hint = doubt?.(text) ?? rest.hint;
  const others = { ...rest, fault: faultOf?.(text), ...(hint !== undefined && { hint }) };
  const change = (typed: string): void => {
    setText(typed);
    set(read(typed));
  };
  return isLong ? (
    <LongText {...others} rows={4} value={text} set={change} />
  ) : (
    <Text {...others} isMono value={text} set={change} />
  );
}
