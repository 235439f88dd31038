import { useState } from "preact/hooks";
import { type Fields, isFields } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useEventTypes } from "../api/operation_queries.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { textOf } from "../changes/diff.ts";
import { type Field, valueOf } from "../changes/fields.ts";
import { newSecret } from "../changes/forms.ts";
import { rounded } from "../changes/modules.ts";
import { newIn } from "../changes/pending.ts";
import { grouped } from "../changes/sources.ts";
import { backendKinds } from "../facts/backends.ts";
import { Icon } from "../widgets/icons.tsx";
import { Choice, Choices, LongText, type Option, Select, Text, Tick } from "../widgets/inputs.tsx";

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
          field={field}
          value={valueOf(props.body, field.name)}
          set={(value) => props.set(field.name, value)}
        />
      ))}
    </>
  );
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

const isOfObjects = (type: Field["type"]): type is keyof typeof ofObjects => type in ofObjects;

function Input(props: InputProps) {
  const { type } = props.field;
  if (!isOfObjects(type)) return <PlainInput {...props} type={type} />;
  const Chosen = ofObjects[type];
  return <Chosen {...props} />;
}

function PlainInput(props: InputProps & { type: Exclude<Field["type"], keyof typeof ofObjects> }) {
  const { field, value, set, type } = props;
  const { label, hint, isRequired: required = false } = field;
  const named = { label, name: field.name.replaceAll(".", "/"), ...(hint !== undefined && { hint }) };
  const common = {
    ...named,
    required,
    ...(field.placeholder !== undefined && { placeholder: field.placeholder }),
  };
  const orEmpty = (text: string): unknown => (text === "" ? field.empty : text);
  switch (type) {
    case "tick":
      return <Tick label={label} value={value === true} set={set} isRequired={required} />;
    case "long":
      return <LongText {...common} value={textOf(value)} set={(text) => set(orEmpty(text))} />;
    case "lines":
      return (
        <Typed {...common} isLong value={listText(value, "\n")} read={(text) => linesIn(text)} set={set} />
      );
    case "headers":
      return <Typed {...common} isLong value={headersText(value)} read={headersIn} set={set} />;
    case "words":
      return (
        <Typed
          {...common}
          value={listText(value, ", ")}
          read={(text) => wordsIn(text) ?? field.empty}
          set={set}
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
          {...named}
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
  set: (value: unknown) => void;
}) {
  const { value, read, set, isLong, ...others } = props;
  const [text, setText] = useState(value);
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

const listText = (value: unknown, between: string): string =>
  Array.isArray(value) ? value.map(textOf).join(between) : "";

function linesIn(text: string): string[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? null : lines;
}

function wordsIn(text: string): string[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length === 0 ? undefined : words;
}

const headersText = (value: unknown): string =>
  isFields(value)
    ? Object.entries(value)
        .map(([name, text]) => `${name}: ${textOf(text)}`)
        .join("\n")
    : "";

/** Headers by name. A line without a colon is a header without a value, which the service rejects by its name. */
function headersIn(text: string): Fields | null {
  const lines = linesIn(text);
  return lines && Object.fromEntries(lines.map((line) => partsOf(line)));
}

function partsOf(line: string): [string, string] {
  const end = line.indexOf(":");
  return end === -1 ? [line.trim(), ""] : [line.slice(0, end).trim(), line.slice(end + 1).trim()];
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
      {...(field.hint !== undefined && { hint: field.hint })}
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

/** Which events are sent, by what they happen to. */
function Sources({ field, value, set }: InputProps) {
  const types = useEventTypes().data ?? [];
  const chosen = new Set(
    Array.isArray(value) ? value.filter(isFields).map((one) => textOf(one["type"])) : [],
  );
  return (
    <fieldset class="field">
      <legend>{field.label}</legend>
      <div class="ticks">
        {grouped(types).map(([group, own]) => {
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
      </div>
      <p class="hint">
        <Icon name="deliveries" /> {chosen.size} types of events
      </p>
    </fieldset>
  );
}
