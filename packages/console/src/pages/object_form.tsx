import { useState } from "preact/hooks";
import { type Fields, isFields } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useEventTypes } from "../api/operation_queries.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { mayAdminister } from "../api/session.ts";
import { textOf } from "../changes/diff.ts";
import { type Field, valueOf } from "../changes/fields.ts";
import { newSecret } from "../changes/forms.ts";
import { faultOfHeaders, headersIn, headersText, linesIn, listText, wordsIn } from "../changes/lines.ts";
import { modules, rounded } from "../changes/modules.ts";
import { newIn } from "../changes/pending.ts";
import { grouped } from "../changes/sources.ts";
import { count } from "../facts/amounts.ts";
import { backendKinds } from "../facts/backends.ts";
import { Icon } from "../widgets/icons.tsx";
import { Choice, Choices, LongText, type Option, Select, Text, Tick, Ticks } from "../widgets/inputs.tsx";

/** The inputs of fields. @param set gets the name of a field and its value; undefined if it is empty */
export function Inputs(props: {
  fields: Field[];
  body: Fields;
  set: (name: string, value: unknown) => void;
}) {
  return (
    <>
      {props.fields.map((field) => (
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

interface InputProps {
  field: Field;
  value: unknown;
  set: (value: unknown) => void;
}

/** The inputs of references to other objects, and of types of events. */
const ofObjects = {
  reference: Reference,
  references: References,
  weights: Weights,
  order: Order,
  sources: Sources,
};

const isList = (type: Field["type"]) => type === "headers" || type === "lines" || type === "words";

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

/** Lists and headers, which are typed as text. */
function ListInput({ field, value, set, type }: InputProps & { type: "headers" | "lines" | "words" }) {
  const common = { ...commonOf(field), set };
  if (type === "headers")
    return <Typed {...common} isLong value={headersText(value)} read={headersIn} faultOf={faultOfHeaders} />;
  if (type === "words")
    return <Typed {...common} value={listText(value, ", ")} read={(text) => wordsIn(text) ?? field.empty} />;
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

function PlainInput(
  props: InputProps & {
    type: Exclude<Field["type"], keyof typeof ofObjects | "headers" | "lines" | "words">;
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
      return <LongText {...common} value={textOf(value)} set={(text) => set(orEmpty(text))} />;
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
          {...(field.pattern !== undefined && { pattern: field.pattern })}
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

/** The new objects of collections, as options. */
const newOptions = (...collections: string[]): Option[] =>
  collections.flatMap((path) =>
    newIn(path).map(({ name, title }) => ({ value: `$${name}`, text: `${title} (not applied yet)` })),
  );

/** Backends that can be chosen. @param isLeaf whether only those that can have a weight */
function useBackendOptions(isLeaf = false): Option[] {
  const kinds = isLeaf
    ? (["static", "http_response"] as const)
    : (["static", "weighted", "failover", "http_response"] as const);
  const backends = useBackends().data ?? [];
  return [
    ...newOptions(...kinds.map((kind) => `/backends/${kind}`)),
    ...backends
      .filter(({ kind }) => kinds.some((one) => one === kind))
      .map((one) => ({ value: one.id, text: `${nameOf(one)} · ${backendKinds[one.kind]}` })),
  ];
}

/** Another object. */
function Reference({ field, value, set }: InputProps) {
  const options = useBackendOptions();
  return (
    <Choice
      label={field.label}
      name={field.name.replaceAll(".", "/")}
      {...(field.hint !== undefined && { hint: field.hint })}
      value={textOf(value)}
      options={[{ value: "", text: "no backend" }, ...options]}
      set={(id) => set(id === "" ? undefined : id)}
    />
  );
}

/** Other objects, in any number. */
function References({ field, value, set }: InputProps) {
  const policies = usePolicies().data ?? [];
  const authorities = useAuthorities().data ?? [];
  const isPolicies = field.name.endsWith("ip_policy_ids");
  const options = [
    ...newOptions(isPolicies ? "/ip_policies" : "/certificate_authorities"),
    ...(isPolicies ? policies : authorities).map((one) => ({ value: one.id, text: nameOf(one) })),
  ];
  return (
    <Choices
      label={field.label}
      name={field.name.replaceAll(".", "/")}
      hint={idsIn(value).length === 0 ? (field.hintIfNone ?? field.hint) : field.hint}
      values={idsIn(value)}
      options={options}
      none={isPolicies ? "There is no IP policy yet." : "There is no authority yet."}
      set={(ids) => set(ids.length === 0 ? field.empty : ids)}
    />
  );
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** The shares of backends, by their ids. */
function Weights({ field, value, set }: InputProps) {
  const options = useBackendOptions(true);
  const weights = isFields(value) ? value : {};
  const left = options.filter((option) => !(option.value in weights));
  return (
    <fieldset class="field">
      <legend>{field.label}</legend>
      {Object.entries(weights).map(([id, weight]) => (
        <div class="bar" key={id}>
          <bdi class="grow cut">{options.find((option) => option.value === id)?.text ?? id}</bdi>
          <input
            class="input weight"
            type="number"
            min={0}
            max={10_000}
            required
            aria-label={`Weight of ${options.find((option) => option.value === id)?.text ?? id}`}
            value={textOf(weight)}
            onInput={(event) => set({ ...weights, [id]: Number(event.currentTarget.value) })}
          />
          <RemoveButton
            what={options.find((option) => option.value === id)?.text ?? id}
            remove={() => set(Object.fromEntries(Object.entries(weights).filter(([one]) => one !== id)))}
          />
        </div>
      ))}
      <AddOption label="Add a backend" options={left} add={(id) => set({ ...weights, [id]: 1 })} />
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
    </fieldset>
  );
}

/** Backends in order. */
function Order({ field, value, set }: InputProps) {
  const options = useBackendOptions();
  const ids = idsIn(value);
  const move = (at: number, by: number): void => {
    const [id] = ids.slice(at, at + 1);
    if (id === undefined) return;
    set(ids.toSpliced(at, 1).toSpliced(at + by, 0, id));
  };
  return (
    <fieldset class="field">
      <legend>{field.label}</legend>
      {ids.map((id, at) => {
        const text = options.find((option) => option.value === id)?.text ?? id;
        return (
          <div class="bar" key={id}>
            <span class="t3 num">{at + 1}</span>
            <bdi class="grow cut">{text}</bdi>
            <button type="button" class="btn q s" disabled={at === 0} onClick={() => move(at, -1)}>
              Up<span class="hidden"> {text}</span>
            </button>
            <RemoveButton what={text} remove={() => set(ids.filter((one) => one !== id))} />
          </div>
        );
      })}
      <AddOption
        label="Add a backend"
        options={options.filter((option) => !ids.includes(option.value))}
        add={(id) => set([...ids, id])}
      />
    </fieldset>
  );
}

const RemoveButton = ({ what, remove }: { what: string; remove: () => void }) => (
  <button type="button" class="btn q s" onClick={remove}>
    Remove<span class="hidden"> {what}</span>
  </button>
);

/** A choice of what to add next. */
function AddOption(props: { label: string; options: Option[]; add: (value: string) => void }) {
  if (props.options.length === 0) return null;
  return (
    <Select
      aria-label={props.label}
      value=""
      options={[{ value: "", text: `${props.label}…` }, ...props.options]}
      set={(value) => value !== "" && props.add(value)}
    />
  );
}

/** Which events are sent, by what they happen to. Only admins may choose those of API keys. */
function Sources({ field, value, set }: InputProps) {
  const types: string[] = (useEventTypes().data ?? []).filter(
    (type) => mayAdminister.value || !type.startsWith("api_key_"),
  );
  const chosen = new Set(
    Array.isArray(value) ? value.filter(isFields).map((one) => textOf(one["type"])) : [],
  );
  return (
    <Ticks
      label={field.label}
      name={field.name}
      hint={
        <>
          <Icon name="deliveries" /> {count(chosen.size, "type")} of events
        </>
      }
      fault={chosen.size === 0 ? "Choose at least one." : undefined}
    >
      {[...(types.length > 0 ? [["All", types] as const] : []), ...grouped(types)].map(([group, own]) => {
        const number = own.filter((type) => chosen.has(type)).length;
        return (
          <Tick
            key={group}
            label={
              <>
                {group}
                {number > 0 && number < own.length && (
                  <span class="t3">
                    {" "}
                    {number} of {own.length} types
                  </span>
                )}
              </>
            }
            value={number === own.length}
            set={(isChosen) => {
              const others = [...chosen].filter((type) => !own.includes(type));
              set([...others, ...(isChosen ? own : [])].map((type) => ({ type })));
            }}
          />
        );
      })}
    </Ticks>
  );
}
