import type { ComponentChildren } from "preact";
import { isFields } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useDestinationList, useEventTypes } from "../api/operation_queries.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { mayAdminister } from "../api/session.ts";
import { textOf } from "../changes/diff.ts";
import { type Field } from "../changes/fields.ts";
import { newIn } from "../changes/pending.ts";
import { grouped } from "../changes/sources.ts";
import { count } from "../facts/amounts.ts";
import { backendKinds } from "../facts/backends.ts";
import { Icon } from "../widgets/icons.tsx";
import { Choice, Choices, type Option, Select, Tick, Ticks } from "../widgets/inputs.tsx";
import { Loaded, type Queried } from "../widgets/page.tsx";
import { focusNear } from "../widgets/rows.ts";

/*
 * Inputs for references to other objects. Each appears when its options have been read.
 */

export interface InputProps {
  field: Field;
  value: unknown;
  set: (value: unknown) => void;
}

type Nameable = Parameters<typeof nameOf>[0];

/** Objects as options, after the new objects of their collections. @param textOf the text of an option; by default, the name */
export const optionsOf = <T extends Nameable>(
  collections: string[],
  objects: T[],
  textOf: (object: T) => string = nameOf,
): Option[] => [
  ...collections
    .flatMap(newIn)
    .map(({ name, title }) => ({ value: `$${name}`, text: `${title} (not applied yet)` })),
  ...objects.map((object) => ({ value: object.id, text: textOf(object) })),
];

const kindsOfBackends = ["static", "weighted", "failover", "http_response"] as const;

/** The collections of backends. */
export const backendCollections = (kinds: readonly string[] = kindsOfBackends): string[] =>
  kinds.map((kind) => `/backends/${kind}`);

/** Shows the backends that can be chosen, once they are known. @param props.isLeaf whether only those that can have a weight */
function Backends(props: { isLeaf?: boolean; children: (options: Option[]) => ComponentChildren }) {
  const kinds = props.isLeaf ? (["static", "http_response"] as const) : kindsOfBackends;
  return (
    <Loaded query={useBackends()}>
      {(backends) =>
        props.children(
          optionsOf(
            backendCollections(kinds),
            backends.filter(({ kind }) => kinds.some((one) => one === kind)),
            (one) => `${nameOf(one)} · ${backendKinds[one.kind]}`,
          ),
        )
      }
    </Loaded>
  );
}

/** Another object. */
export function Reference({ field, value, set }: InputProps) {
  return (
    <Backends>
      {(options) => (
        <Choice
          label={field.label}
          name={field.name.replaceAll(".", "/")}
          {...(field.hint !== undefined && { hint: field.hint })}
          value={textOf(value)}
          options={[{ value: "", text: "no backend" }, ...options]}
          set={(id) => set(id === "" ? undefined : id)}
        />
      )}
    </Backends>
  );
}

/** How the objects are read that a field of references can have. */
interface Referable {
  useAll: () => Queried<Nameable[]>;
  collection: string;
  none: string;
}

const authorities: Referable = {
  useAll: useAuthorities,
  collection: "/certificate_authorities",
  none: "No authorities yet.",
};

/** By the last part of the field's name; otherwise authorities. */
const referable: Record<string, Referable> = {
  ip_policy_ids: { useAll: usePolicies, collection: "/ip_policies", none: "No IP policies yet." },
  destination_ids: {
    useAll: () => useDestinationList(),
    collection: "/event_destinations",
    none: "No destinations yet.",
  },
};

/** Other objects, in any number. */
export function References({ field, value, set }: InputProps) {
  const { useAll, collection, none } = referable[field.name.split(".").at(-1) ?? ""] ?? authorities;
  const isNone = idsIn(value).length === 0;
  return (
    <Loaded query={useAll()}>
      {(all) => (
        <Choices
          label={field.label}
          name={field.name.replaceAll(".", "/")}
          hint={isNone ? (field.hintIfNone ?? field.hint) : field.hint}
          fault={isNone && field.isRequired ? "Choose at least one." : undefined}
          values={idsIn(value)}
          options={optionsOf([collection], all)}
          none={none}
          set={(ids) => set(ids.length === 0 ? field.empty : ids)}
        />
      )}
    </Loaded>
  );
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** The shares of backends, by their ids. */
export function Weights(props: InputProps) {
  return <Backends isLeaf>{(options) => <WeightsOf {...props} options={options} />}</Backends>;
}

function WeightsOf({ field, value, set, options }: InputProps & { options: Option[] }) {
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
export function Order(props: InputProps) {
  return <Backends>{(options) => <OrderOf {...props} options={options} />}</Backends>;
}

function OrderOf({ field, value, set, options }: InputProps & { options: Option[] }) {
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
            <button
              type="button"
              class="btn q s"
              aria-disabled={at === 0}
              onClick={({ currentTarget }) => {
                if (at > 0) move(at, -1);
                // Moving a row takes the focus from it.
                setTimeout(() => currentTarget.focus());
              }}
            >
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
  <button
    type="button"
    class="btn q s"
    onClick={({ currentTarget }) => {
      focusNear(currentTarget);
      remove();
    }}
  >
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
export function Sources(props: InputProps) {
  return <Loaded query={useEventTypes()}>{(types) => <SourcesOf {...props} emitted={types} />}</Loaded>;
}

function SourcesOf({ field, value, set, emitted }: InputProps & { emitted: string[] }) {
  const types = emitted.filter((type) => mayAdminister.value || !type.startsWith("api_key_"));
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
