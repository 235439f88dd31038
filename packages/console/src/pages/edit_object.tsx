import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Fields, isFields, type TaggedObject } from "../api/client.ts";
import { nameOf, useNames } from "../api/names.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { modules } from "../changes/modules.ts";
import { keep } from "../changes/pending.ts";
import { asRequest } from "../changes/request.ts";
import { Delete } from "../widgets/delete.tsx";
import { Choice, Choices, LongText, Text } from "../widgets/inputs.tsx";
import { EditDialog } from "./edit_dialog.tsx";

interface Props {
  path: string;
  title: string;
  close: () => void;
}

/** Edits an edge, a route, a policy or a backend. The changes are pending until they are applied. */
function EditObject(props: Props) {
  return (
    <EditDialog path={props.path} title={`Edit ${props.title}`} close={props.close}>
      {(known, start) => <Form {...props} known={known} start={start} />}
    </EditDialog>
  );
}

/** The buttons that change or delete an object, for those who may. @param children further buttons */
export function ObjectActions({
  path,
  title,
  children,
}: Omit<Props, "close"> & { children?: ComponentChildren }) {
  const [isEditing, setEditing] = useState(false);
  if (!mayPlan.value) return null;
  return (
    <>
      <Delete path={path} title={title} />
      <button type="button" class="btn" data-key="e" onClick={() => setEditing(true)}>
        Edit <kbd aria-hidden="true">E</kbd>
      </button>
      {children}
      {isEditing && <EditObject path={path} title={title} close={() => setEditing(false)} />}
    </>
  );
}

interface FormProps extends Props {
  known: TaggedObject;
  start: Fields;
}

function Form({ path, title, close, known: { object, etag }, start }: FormProps) {
  const [body, setBody] = useState<Fields>(start);
  /** The current value of a field, in the form of requests. */
  const original = (name: string): unknown => {
    const value = object[name];
    return isFields(value) && name in modules ? asRequest(name, value) : value;
  };
  const current = (name: string): unknown => (name in body ? body[name] : original(name));
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...others } = body;
    setBody(isEqual(original(name) ?? null, value) ? others : { ...others, [name]: value });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    keep(path, { type: "update", path, title, etag, base: object, body });
    close();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const hostports = current("hostports");
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Text
        label="Description"
        value={textOf(current("description"))}
        set={(text) => set("description", text)}
      />
      {"hostports" in object && (
        <Text
          label="Hosts and ports"
          isMono
          value={Array.isArray(hostports) ? hostports.join(", ") : ""}
          set={(text) => set("hostports", text.split(/[\s,]+/).filter(Boolean))}
        />
      )}
      {"match" in object && (
        <Text label="Path" isMono value={textOf(current("match"))} set={(text) => set("match", text)} />
      )}
      <References object={object} current={current} set={set} />
      <BackendFields object={object} current={current} set={set} />
      <button type="submit" class="btn p">
        Keep for review
      </button>
    </form>
  );
}

interface Fieldset {
  object: Fields;
  current: (name: string) => unknown;
  set: (name: string, value: unknown) => void;
}

/** The address, the response or the weights of a backend. */
function BackendFields({ object, current, set }: Fieldset) {
  const names = useNames();
  const weights = current("backends");
  return (
    <>
      {"address" in object && (
        <Text
          label="Address"
          isMono
          value={textOf(current("address"))}
          set={(text) => set("address", text)}
        />
      )}
      {"status_code" in object && (
        <>
          <Text
            label="Status"
            value={textOf(current("status_code"))}
            set={(text) => set("status_code", Number(text) || text)}
          />
          <LongText label="Body" value={textOf(current("body"))} set={(text) => set("body", text)} />
        </>
      )}
      {isFields(weights) &&
        Object.entries(weights).map(([id, weight]) => (
          <Text
            key={id}
            label={`Weight of ${names(id).name}`}
            value={textOf(weight)}
            set={(text) => set("backends", { ...weights, [id]: Number(text) || 0 })}
          />
        ))}
    </>
  );
}

/** The modules that refer to other objects. */
function References({ object, current, set }: Fieldset) {
  const backends = useBackends().data ?? [];
  const policies = usePolicies().data ?? [];
  const authorities = useAuthorities().data ?? [];
  const field = (name: string): Fields | undefined => {
    const module = current(name);
    return isFields(module) ? module : undefined;
  };
  const listed = (name: string, ids: string): string[] => {
    const value = field(name)?.[ids];
    return Array.isArray(value) ? value.map(textOf) : [];
  };
  const optionsOf = (objects: { id: string; description?: string }[]) =>
    objects.map((one) => ({ value: one.id, text: nameOf(one) }));
  return (
    <>
      {"backend" in object && (
        <Choice
          label="Goes to"
          value={textOf(field("backend")?.["backend_id"])}
          options={[{ value: "", text: "no backend" }, ...optionsOf(backends)]}
          set={(id) =>
            set("backend", id === "" ? null : { enabled: true, ...field("backend"), backend_id: id })
          }
        />
      )}
      {"ip_restriction" in object && (
        <Choices
          label="Only these IP policies get in (none: no restriction)"
          values={listed("ip_restriction", "ip_policy_ids")}
          options={optionsOf(policies)}
          set={(ids) =>
            set(
              "ip_restriction",
              ids.length === 0 ? null : { enabled: true, ...field("ip_restriction"), ip_policy_ids: ids },
            )
          }
        />
      )}
      {"mutual_tls" in object && authorities.length > 0 && (
        <Choices
          label="Client certificates from (none: not required)"
          values={listed("mutual_tls", "certificate_authority_ids")}
          options={optionsOf(authorities)}
          set={(ids) =>
            set(
              "mutual_tls",
              ids.length === 0
                ? null
                : { enabled: true, ...field("mutual_tls"), certificate_authority_ids: ids },
            )
          }
        />
      )}
    </>
  );
}
