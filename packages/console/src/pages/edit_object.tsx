import { useEffect, useRef, useState } from "preact/hooks";
import { type Fields, isFields, readObject, type TaggedObject } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { modules } from "../changes/modules.ts";
import { keep, pending } from "../changes/pending.ts";
import { asRequest } from "../changes/request.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Choice, Choices, Text } from "../widgets/inputs.tsx";
import { Problem, Skeleton } from "../widgets/page.tsx";

/** Edits an edge, a route or a policy. What is changed waits until it is applied. */
export function EditObject(props: { path: string; title: string; close: () => void }) {
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  const change = pending.value[props.path];
  const mine = change?.type === "update" ? change : undefined;
  useEffect(() => {
    if (mine) setKnown({ object: mine.base, etag: mine.etag });
    else readObject(props.path).then(setKnown, setError);
  }, []);
  return (
    <Dialog title={`Edit ${props.title}`} close={props.close} class="large">
      {error !== undefined && <Problem error={error} />}
      {!known && error === undefined && <Skeleton />}
      {known && <Form {...props} known={known} start={mine?.body ?? {}} />}
    </Dialog>
  );
}

const moduleIn = (object: Fields, name: string): Fields | null => {
  const module = object[name];
  return isFields(module) ? module : null;
};

interface FormProps {
  path: string;
  title: string;
  close: () => void;
  known: TaggedObject;
  start: Fields;
}

function Form({ path, title, close, known: { object, etag }, start }: FormProps) {
  const [body, setBody] = useState<Fields>(start);
  /** A field as it would be: changed, or as it is. */
  const current = (name: string): unknown => {
    if (name in body) return body[name];
    const module = moduleIn(object, name);
    return module && name in modules ? asRequest(name, module) : object[name];
  };
  const set = (name: string, value: unknown): void => {
    const module = moduleIn(object, name);
    const before = module && name in modules ? asRequest(name, module) : object[name];
    const { [name]: _, ...others } = body;
    setBody(isEqual(before ?? null, value) ? others : { ...others, [name]: value });
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
