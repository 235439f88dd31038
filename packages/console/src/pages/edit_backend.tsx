import { useEffect, useState } from "preact/hooks";
import { type Fields, isFields, readObject, type TaggedObject } from "../api/client.ts";
import { nameOf, useNames } from "../api/names.ts";
import type { BackendObject } from "../api/queries.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { keep, pending } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { LongText, Text } from "../widgets/inputs.tsx";
import { Problem, Skeleton } from "../widgets/page.tsx";

/** Edits a backend: its description, address, response or weights. */
export function EditBackend({ backend, close }: { backend: BackendObject; close: () => void }) {
  const path = `/backends/${backend.kind}/${backend.id}`;
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  const change = pending.value[path];
  const mine = change?.type === "update" ? change : undefined;
  useEffect(() => {
    if (mine) setKnown({ object: mine.base, etag: mine.etag });
    else readObject(path).then(setKnown, setError);
  }, []);
  return (
    <Dialog title={`Edit ${nameOf(backend)}`} close={close} class="large">
      {error !== undefined && <Problem error={error} />}
      {!known && error === undefined && <Skeleton />}
      {known && (
        <Form path={path} title={nameOf(backend)} known={known} start={mine?.body ?? {}} close={close} />
      )}
    </Dialog>
  );
}

function Form(props: { path: string; title: string; known: TaggedObject; start: Fields; close: () => void }) {
  const { path, title, known, close } = props;
  const { object, etag } = known;
  const [body, setBody] = useState(props.start);
  const current = (name: string): unknown => (name in body ? body[name] : object[name]);
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...others } = body;
    setBody(isEqual(object[name], value) ? others : { ...others, [name]: value });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    keep(path, { type: "update", path, title, etag, base: object, body });
    close();
  };
  const weights = object["backends"];
  return (
    <form class="form" onSubmit={submit}>
      <Text
        label="Description"
        value={textOf(current("description"))}
        set={(text) => set("description", text)}
      />
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
      {isFields(weights) && <Weights current={current("backends")} set={(value) => set("backends", value)} />}
      <button type="submit" class="btn p">
        Keep for review
      </button>
    </form>
  );
}

function Weights({ current, set }: { current: unknown; set: (weights: Fields) => void }) {
  const names = useNames();
  const weights = isFields(current) ? current : {};
  return (
    <>
      {Object.entries(weights).map(([id, weight]) => (
        <Text
          key={id}
          label={`Weight of ${names(id).name}`}
          value={textOf(weight)}
          set={(text) => set({ ...weights, [id]: Number(text) || 0 })}
        />
      ))}
    </>
  );
}
