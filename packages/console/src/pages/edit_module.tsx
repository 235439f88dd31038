import { useState } from "preact/hooks";
import { type Fields, isFields, type TaggedObject } from "../api/client.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { withValue } from "../changes/fields.ts";
import { kindOfPath } from "../changes/forms.ts";
import { fieldsOf, modules, startOf } from "../changes/modules.ts";
import { check } from "../changes/operations.ts";
import { keep, keyOfNew, type PendingChange, type PendingCreation } from "../changes/pending.ts";
import { asRequest } from "../changes/request.ts";
import { Dialog, DialogForm } from "../widgets/dialog.tsx";
import { FieldsIn } from "../widgets/faults.tsx";
import { Tick } from "../widgets/inputs.tsx";
import { ObjectDialog } from "./edit_object.tsx";
import { Inputs } from "./object_form.tsx";
import { PolicyText, policyTargets } from "./policy_field.tsx";

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
    <ObjectDialog {...props} title={titleFor(props.name, props.title)}>
      {(known, start) => <FormOfExisting {...props} known={known} start={start} />}
    </ObjectDialog>
  );
}

/** Adds, changes or removes one module of an edge or a route that is not applied yet. */
export function EditModuleOfNew({
  of,
  name,
  close,
}: {
  of: PendingCreation;
  name: string;
  close: () => void;
}) {
  const finish = async (value: Fields | null): Promise<void> => {
    const { [name]: _, ...others } = of.body;
    const change: PendingCreation = { ...of, body: value === null ? others : { ...others, [name]: value } };
    if (value !== null) await check(keyOfNew(change), change);
    keep(keyOfNew(change), change);
    close();
  };
  return (
    <Dialog title={titleFor(name, of.title)} close={close} class="large">
      <Form path={of.path} name={name} start={of.body[name]} finish={finish} close={close} />
    </Dialog>
  );
}

const titleFor = (name: string, title: string): string => `${modules[name]}: ${title}`;

function FormOfExisting({
  path,
  title,
  name,
  close,
  known,
  start,
}: Props & { known: TaggedObject; start: Fields }) {
  const stored = known.object[name];
  const before = isFields(stored) ? asRequest(name, stored) : null;
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
    <Form
      path={path}
      name={name}
      start={name in start ? start[name] : before}
      finish={finish}
      close={close}
    />
  );
}

/** The form of a module. @param start the module as it is, if it is set @param finish gets what it should be; null removes it */
function Form(props: {
  path: string;
  name: string;
  start: unknown;
  finish: (value: Fields | null) => Promise<void>;
  close: () => void;
}) {
  const { path, name, start, finish, close } = props;
  const isNew = !isFields(start);
  const kind = kindOfPath(path);
  const [module, setModule] = useState<Fields>(isNew ? startOf(name) : start);
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
        {name === "traffic_policy" ? (
          <PolicyText
            value={textOf(module["value"])}
            set={(value) => setModule({ ...module, value })}
            target={policyTargets[kind === "tls" || kind === "tcp" ? kind : "https"]}
          />
        ) : (
          <Inputs
            fields={fieldsOf(name, path)}
            body={module}
            set={(field, value) => setModule((current) => withValue(current, field, value))}
          />
        )}
      </FieldsIn>
      <Tick
        label="Enabled"
        value={module["enabled"] !== false}
        set={(enabled) => setModule({ ...module, enabled })}
      />
    </DialogForm>
  );
}
