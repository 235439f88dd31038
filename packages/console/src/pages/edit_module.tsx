import { useState } from "preact/hooks";
import { type Fields, isFields, type TaggedObject } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { type Field, fieldsOf, modules, rounded, startOf } from "../changes/modules.ts";
import { keep } from "../changes/pending.ts";
import { asRequest } from "../changes/request.ts";
import { Choice, Choices, LongText, Text } from "../widgets/inputs.tsx";
import { EditDialog } from "./edit_dialog.tsx";

interface Props {
  /** Of the edge or the route. */
  path: string;
  /** The name of the edge or the route. */
  title: string;
  /** The module. */
  name: string;
  close: () => void;
}

/** Adds, changes or removes one module of an edge or a route. What is changed waits until it is applied. */
export function EditModule(props: Props) {
  const { path, title, name, close } = props;
  return (
    <EditDialog path={path} title={`${modules[name]} of ${title}`} close={close}>
      {(known, start) => <Form {...props} known={known} start={start} />}
    </EditDialog>
  );
}

function Form({ path, title, name, close, known, start }: Props & { known: TaggedObject; start: Fields }) {
  const stored = known.object[name];
  const before = isFields(stored) ? asRequest(name, stored) : null;
  const mine = name in start ? start[name] : before;
  const isNew = !isFields(mine);
  const [module, setModule] = useState<Fields>(isFields(mine) ? mine : startOf(name));
  const finish = (value: Fields | null): void => {
    const { [name]: _, ...others } = start;
    const { object: base, etag } = known;
    const body = isEqual(before, value) ? others : { ...others, [name]: value };
    keep(path, { type: "update", path, title, etag, base, body });
    close();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    finish(module);
  };
  return (
    <form class="form" onSubmit={submit}>
      {fieldsOf(name, path).map((field) => (
        <Input
          key={field.name}
          field={field}
          value={module[field.name]}
          set={(value) => setModule((current) => ({ ...current, [field.name]: value }))}
        />
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={module["enabled"] !== false}
          onChange={(event) => setModule({ ...module, enabled: event.currentTarget.checked })}
        />{" "}
        Enabled
      </label>
      <div class="bar">
        <button type="submit" class="btn p">
          Keep for review
        </button>
        {!isNew && (
          <button type="button" class="btn danger" onClick={() => finish(null)}>
            Remove the module
          </button>
        )}
      </div>
    </form>
  );
}

interface InputProps {
  field: Field;
  value: unknown;
  set: (value: unknown) => void;
}

function Input({ field, value, set }: InputProps) {
  const { label, type } = field;
  if (type === "lines")
    return <Lines label={label} value={listText(value)} set={(text) => set(linesIn(text))} />;
  if (type === "headers")
    return <Lines label={label} value={headersText(value)} set={(text) => set(headersIn(text))} />;
  if (type === "number" || type === "share") {
    const factor = type === "share" ? 100 : 1;
    return (
      <Text
        label={label}
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
  if (type === "choice")
    return (
      <Choice
        label={label}
        value={textOf(value)}
        options={field.options ?? []}
        set={(text) => set(text === "" ? null : text)}
      />
    );
  if (type === "reference" || type === "references") return <Reference {...{ field, value, set }} />;
  return (
    <Text
      label={label}
      type={type === "secret" ? "password" : "text"}
      required={field.isRequired === true}
      {...(field.pattern !== undefined && { pattern: field.pattern })}
      value={textOf(value)}
      set={(text) => set(text === "" ? undefined : text)}
    />
  );
}

/** Lines as they are typed: the value has them without empty ones. */
function Lines(props: { label: string; value: string; set: (text: string) => void }) {
  const [text, setText] = useState(props.value);
  return (
    <LongText
      label={props.label}
      rows={4}
      value={text}
      set={(typed) => {
        setText(typed);
        props.set(typed);
      }}
    />
  );
}

const listText = (value: unknown): string => (Array.isArray(value) ? value.map(textOf).join("\n") : "");

function linesIn(text: string): string[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 0 ? null : lines;
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

/** One or several other objects. */
function Reference({ field: { name, label }, value, set }: InputProps) {
  const backends = useBackends().data ?? [];
  const policies = usePolicies().data ?? [];
  const authorities = useAuthorities().data ?? [];
  const objects = { backend_id: backends, ip_policy_ids: policies }[name] ?? authorities;
  const options = objects.map((one) => ({ value: one.id, text: nameOf(one) }));
  return name === "backend_id" ? (
    <Choice label={label} value={textOf(value)} options={options} set={set} />
  ) : (
    <Choices
      label={label}
      values={Array.isArray(value) ? value.map(textOf) : []}
      options={options}
      set={set}
    />
  );
}
