import { useState } from "preact/hooks";
import { type Fields, isFields, type TaggedObject } from "../api/client.ts";
import { isEqual } from "../changes/diff.ts";
import { withValue } from "../changes/fields.ts";
import { fieldsOf, modules, startOf } from "../changes/modules.ts";
import { check } from "../changes/operations.ts";
import { keep, type PendingChange } from "../changes/pending.ts";
import { asRequest } from "../changes/request.ts";
import { DialogForm } from "../widgets/dialog.tsx";
import { FieldsIn } from "../widgets/faults.tsx";
import { Tick } from "../widgets/inputs.tsx";
import { ObjectDialog } from "./edit_object.tsx";
import { Inputs } from "./object_form.tsx";

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
  return (
    <ObjectDialog {...props} title={`${modules[props.name]}: ${props.title}`}>
      {(known, start) => <Form {...props} known={known} start={start} />}
    </ObjectDialog>
  );
}

function Form({ path, title, name, close, known, start }: Props & { known: TaggedObject; start: Fields }) {
  const stored = known.object[name];
  const before = isFields(stored) ? asRequest(name, stored) : null;
  const mine = name in start ? start[name] : before;
  const isNew = !isFields(mine);
  const [module, setModule] = useState<Fields>(isFields(mine) ? mine : startOf(name));
  const finish = async (value: Fields | null): Promise<void> => {
    const { [name]: _, ...others } = start;
    const { object: base, etag } = known;
    const body = isEqual(before, value) ? others : { ...others, [name]: value };
    const change: PendingChange = { type: "update", path, title, etag, base, body };
    if (value !== null) await check(path, change);
    keep(path, change);
    close();
  };
  return (
    <DialogForm
      verb="Keep for review"
      close={close}
      submit={() => finish(module)}
      aside={
        !isNew && (
          <button type="button" class="btn q" onClick={() => void finish(null)}>
            Remove
          </button>
        )
      }
    >
      <FieldsIn name={name}>
        <Inputs
          fields={fieldsOf(name, path)}
          body={module}
          set={(field, value) => setModule((current) => withValue(current, field, value))}
        />
      </FieldsIn>
      <Tick
        label="Enabled"
        value={module["enabled"] !== false}
        set={(enabled) => setModule({ ...module, enabled })}
      />
    </DialogForm>
  );
}
