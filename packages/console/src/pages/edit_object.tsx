import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Fields, isFields, readObject, type TaggedObject } from "../api/client.ts";
import { failureOf, RequestFailure } from "../api/errors.ts";
import type { EdgeObject } from "../api/lists.ts";
import { useEdges } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { isEqual, rulesIn, textOf } from "../changes/diff.ts";
import { type Field, withValue } from "../changes/fields.ts";
import { type FormKind, forms, kindOfPath } from "../changes/forms.ts";
import { modules } from "../changes/modules.ts";
import { check } from "../changes/operations.ts";
import {
  creation,
  deletionOf,
  discard,
  keep,
  keyOfNew,
  newIn,
  newName,
  pending,
  type PendingChange,
  type PendingCreation,
} from "../changes/pending.ts";
import { asRequest, requestOf, targetIn } from "../changes/request.ts";
import { targets } from "../changes/targets.ts";
import { backendKinds } from "../facts/backends.ts";
import { Dialog, DialogForm, FormDialog } from "../widgets/dialog.tsx";
import { Choice, Segments } from "../widgets/inputs.tsx";
import { Problem, Skeleton } from "../widgets/page.tsx";
import { Inputs } from "./object_form.tsx";

/*
 * Dialogs that create objects and change them. What they change waits until it is applied; the service checks it before.
 */

/** Keeps a change, once the service accepts it. @throws RequestFailure */
async function keepChecked(key: string, change: PendingChange): Promise<void> {
  await check(key, change).catch((error: unknown) => {
    const { message: msg, status, details } = failureOf(error);
    // Only the paths of routes can conflict with other objects.
    throw "conflicts_with" in details
      ? new RequestFailure({ msg, errors: [{ path: "/match", msg }] }, status)
      : error;
  });
  keep(key, change);
}

/** Where a module is in a body, if a field belongs to one. */
const moduleIn = (name: string): string | undefined => {
  const [first = ""] = name.split(".");
  return first in modules && name.includes(".") ? first : undefined;
};

/** A body with another value of a field. A module without its only field is no longer there. */
function edited(body: Fields, name: string, value: unknown): Fields {
  const module = moduleIn(name);
  if (module === undefined) return withValue(body, name, value);
  if (value === undefined) return { ...body, [module]: null };
  const start = isFields(body[module]) ? body : { ...body, [module]: { enabled: true } };
  return withValue(start, name, value);
}

/** A dialog that makes a new object, or changes one that is not applied yet. */
export function NewObject(props: {
  /** The kinds to choose from; the first one is chosen at the start. */
  kinds: readonly [FormKind, ...FormKind[]];
  /** The id of the edge of a route, or its reference if it is new, such as `$n1`. */
  parent?: string;
  /** What is set from the start. */
  given?: Fields;
  /** Its creation, if that is pending already. */
  pending?: PendingCreation;
  close: () => void;
}) {
  const { kinds, parent = "", given = {}, pending: known, close } = props;
  const [kind, setKind] = useState<FormKind>(kinds[0]);
  const [target, setTarget] = useState(known ? targetIn(known.body).name : "webhook");
  const form = forms[kind];
  // What was entered for the other kinds and targets.
  const [others, setOthers] = useState<Record<string, Fields>>({});
  const edge = useEdges().data?.find(({ id }) => id === parent);
  const [body, setBody] = useState<Fields>(
    known
      ? { ...known.body, ...(known.rules && { rules: known.rules }) }
      : { ...form.start, ...restrictionOf(edge ?? parent), ...given },
  );
  const fields: Field[] = [
    ...form.fields,
    ...(kind === "destination" ? (targets[target]?.fields ?? []) : []),
  ];
  const submit = async (): Promise<void> => {
    const { path, name } = known ?? { path: form.collection(parent), name: newName() };
    const change = creationIn(body, path, name, form.noun);
    await keepChecked(keyOfNew(change), change);
    close();
  };
  return (
    <FormDialog
      title={known ? `Edit ${known.title}` : `New ${form.noun}`}
      verb="Keep for review"
      close={close}
      submit={submit}
      part={`${kind} ${target}`}
      class="large"
    >
      {kinds.length > 1 && (
        <Segments
          label="Kind"
          hint={form.note}
          value={kind}
          options={kinds.map((value) => ({ value, text: kindTexts[value] ?? value }))}
          set={(value) => {
            const next = kinds.find((one) => one === value) ?? kinds[0];
            setKind(next);
            setOthers({ ...others, [kind]: body });
            setBody(withValue(others[next] ?? forms[next].start ?? {}, "description", body["description"]));
          }}
        />
      )}
      {kind === "destination" && (
        <Choice
          label="Events are sent to"
          value={target}
          options={Object.entries(targets).map(([value, { text }]) => ({ value, text }))}
          set={(value) => {
            setTarget(value);
            setOthers({ ...others, [target]: body });
            setBody(withValue(body, "target", others[value]?.["target"]));
          }}
        />
      )}
      <Inputs
        key={kind}
        fields={fields}
        body={body}
        set={(name, value) => setBody(edited(body, name, value))}
      />
    </FormDialog>
  );
}

/** The creation of an object. @param body the values of its form @param noun what it is called if nothing else tells it apart */
function creationIn(body: Fields, path: string, name: string, noun: string): PendingCreation {
  const set = Object.fromEntries(
    Object.entries(body).filter(([field, value]) => value !== null && value !== "" && field !== "rules"),
  );
  return creation(path, textOf(set["description"]) || titleIn(set) || noun, set, name, rulesIn(body));
}

/** The restriction of the route for `/`, as it is after the pending changes. A new route starts with the same restriction. @param edge or the id of a new one */
function restrictionOf(edge: EdgeObject | string): Fields {
  const isNew = typeof edge === "string";
  const routes = newIn(forms.route.collection(isNew ? edge : edge.id));
  const added = routes.find(({ body }) => body["match"] === "/")?.body["ip_restriction"];
  const restriction = added ?? (isNew ? undefined : restrictionOfWhole(edge));
  return isFields(restriction) && restriction["enabled"] !== false ? { ip_restriction: restriction } : {};
}

/** The restriction of the existing route for `/`, in the form that requests use. */
function restrictionOfWhole(edge: EdgeObject): unknown {
  const whole = edge.kind === "https" ? edge.routes.find(({ match }) => match === "/") : undefined;
  const change = pending.value[`${forms.route.collection(edge.id)}/${whole?.id}`];
  if (change?.type === "update" && "ip_restriction" in change.body) return change.body["ip_restriction"];
  const { ip_restriction: restriction } = whole ?? {};
  return restriction && asRequest("ip_restriction", { ...restriction });
}

const kindTexts: Partial<Record<FormKind, string>> = {
  https: "HTTPS",
  tls: "TLS",
  tcp: "TCP",
  ...backendKinds,
};

/** What a new object without a name is called. */
function titleIn({ hostports, match, address, status_code: status }: Fields): string {
  if (Array.isArray(hostports)) return textOf(hostports[0]);
  return textOf(match) || textOf(address) || (status === undefined ? "" : `Response ${textOf(status)}`);
}

interface Edited {
  path: string;
  title: string;
  close: () => void;
}

/** A dialog that reads an object, unless a change of it is pending. @param children gets the object and the changed fields */
export function ObjectDialog(
  props: Edited & { children: (known: TaggedObject, start: Fields) => ComponentChildren },
) {
  const { path, title, close, children } = props;
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  const change = pending.value[path];
  const mine = change?.type === "update" ? change : undefined;
  const deletion = deletionOf(path);
  useEffect(() => {
    if (mine) setKnown({ object: mine.base, etag: mine.etag });
    else readObject(path).then(setKnown, setError);
  }, []);
  return (
    <Dialog title={title} close={close} class="large">
      {deletion ? (
        <MarkedForDeletion deletion={deletion} close={close} />
      ) : known ? (
        children(known, mine?.body ?? {})
      ) : (
        <div class="inside-dialog">{error === undefined ? <Skeleton /> : <Problem error={error} />}</div>
      )}
    </Dialog>
  );
}

/** Shows that an object is marked for deletion. It can be edited after the deletion is taken back. */
function MarkedForDeletion({ deletion, close }: { deletion: PendingChange; close: () => void }) {
  return (
    <DialogForm verb={`Keep ${deletion.title}`} close={close} submit={() => discard(deletion.path)}>
      <p class="t2">
        <bdi>{deletion.title}</bdi> is marked for deletion. Keep it to edit it.
      </p>
    </DialogForm>
  );
}

/** Changes an object. */
export function EditObject(props: Edited) {
  return (
    <ObjectDialog {...props} title={`Edit ${props.title}`}>
      {(known, start) => <EditForm {...props} known={known} start={start} />}
    </ObjectDialog>
  );
}

function EditForm({ path, title, close, known, start }: Edited & { known: TaggedObject; start: Fields }) {
  const kind = kindOfPath(path) ?? "policy";
  const original = requestOf(known.object);
  const [body, setBody] = useState<Fields>({ ...original, ...start });
  const isTargetChanged = !isEqual(original["target"], body["target"]);
  const fields = [
    ...forms[kind].fields,
    ...(kind === "destination" ? targetFieldsOf(known.object, isTargetChanged) : []),
  ];
  const submit = async (): Promise<void> => {
    const changed = Object.entries(body).filter(
      ([name, value]) => !isEqual(original[name] ?? null, value ?? null),
    );
    const { object: base, etag } = known;
    await keepChecked(path, {
      type: "update",
      path,
      title,
      etag,
      base,
      body: Object.fromEntries(changed),
    });
    close();
  };
  return (
    <DialogForm verb="Keep for review" close={close} submit={submit}>
      <Inputs
        fields={fields.filter(({ isFixed }) => !isFixed)}
        body={body}
        set={(name, value) => setBody(edited(body, name, value))}
      />
    </DialogForm>
  );
}

/** The fields of the target that a destination has. Its secret is needed again when anything of it changes. */
const targetFieldsOf = (object: Fields, isChanged: boolean): Field[] =>
  (targets[targetIn(object).name]?.fields ?? []).map((field) =>
    field.type === "secret" || field.type === "made"
      ? {
          ...field,
          isRequired: isChanged && field.isRequired === true,
          hint: "Needed again if the target changes",
        }
      : field,
  );

/** A button that changes an object, for those who may. */
export function EditButton({ path, title, isPrimary }: { path: string; title: string; isPrimary?: true }) {
  const [isEditing, setEditing] = useState(false);
  if (!mayPlan.value) return null;
  return (
    <>
      <button type="button" class={isPrimary ? "btn p" : "btn"} data-key="e" onClick={() => setEditing(true)}>
        Edit <kbd aria-hidden="true">E</kbd>
      </button>
      {isEditing && <EditObject path={path} title={title} close={() => setEditing(false)} />}
    </>
  );
}
