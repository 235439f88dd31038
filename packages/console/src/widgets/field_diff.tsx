import { type Fields, isFields, type Schemas } from "../api/client.ts";
import { type Named, nameOf, useNames } from "../api/names.ts";
import { useDestinationList } from "../api/operation_queries.ts";
import { type FieldDifference, inWords, isEqual, textOf } from "../changes/diff.ts";
import { fieldAt, labelOf } from "../changes/labels.ts";
import { describe, modules } from "../changes/modules.ts";
import { typesInWords } from "../changes/sources.ts";
import { utc } from "./text.tsx";

/** A sign, which screen readers read as a word. */
export const Sign = ({ sign }: { sign: string }) => (
  <>
    <i aria-hidden="true">{sign}</i>
    <span class="hidden">{sign === "+" ? "added" : "removed"}</span>
  </>
);

/** The labels of the secrets that an event has set. */
export const secretLabels = ({ object, secrets_changed: secrets = [] }: Schemas["Event"]): string[] =>
  secrets.map((pointer) => labelOf(new URL(object.uri).pathname, pointer.slice(1).replaceAll("/", ".")));

/** Finds the names of the objects that an object refers to. @param path the object's path in the API */
export function useNamed(path: string, namesOf?: (id: string) => Named): (id: string) => string {
  const names = useNames();
  const destinations = useDestinationList(path.startsWith("/event_subscriptions")).data;
  return (id) => {
    const destination = destinations?.find((one) => one.id === id);
    return destination ? nameOf(destination) : (namesOf ?? names)(id).name;
  };
}

/** The fields that differ, before and after. */
export function FieldDiff(props: {
  before: Fields;
  after: Fields;
  /** The object's path in the API. */
  path?: string;
  nameOf?: (id: string) => Named;
  /** The labels of secrets that are set. */
  secrets?: string[];
}) {
  const { before, after, path = "", secrets = [] } = props;
  const named = useNamed(path, props.nameOf);
  const changes = differences(before, after, path, named);
  return (
    <div class="diff mono">
      {changes.map(({ name, before: was, after: is }) => (
        <div class="pair" key={name}>
          {[
            { sign: "−", value: was },
            { sign: "+", value: is },
          ].map(
            ({ sign, value }) =>
              !isUnset(value) && (
                <Line key={sign} sign={sign} label={labelOf(path, name)}>
                  {textIn(path, name, value, named)}
                </Line>
              ),
          )}
        </div>
      ))}
      {secrets.map((label) => (
        <Line key={label} sign="+" label={label}>
          set
        </Line>
      ))}
      {changes.length + secrets.length === 0 && <p class="nothing">Nothing changes.</p>}
    </div>
  );
}

const Line = ({ sign, label, children }: { sign: string; label: string; children: string }) => (
  <div class={sign === "+" ? "a" : "d"}>
    <Sign sign={sign} />
    <span class="k">{label}</span>
    <bdi class="v">{children}</bdi>
  </div>
);

/** The labels of the fields that differ. @param path the object's path in the API */
export const changedLabels = (
  before: Fields,
  after: Fields,
  path: string,
  named: (id: string) => string,
): string[] => [...new Set(differences(before, after, path, named).map(({ name }) => labelOf(path, name)))];

/** Fields that say nothing about what changes. Routes have changes of their own. */
const HIDDEN = new Set(["id", "uri", "created_at", "routes"]);

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** True for fields that are compared one by one, which a reference to another object is not. */
const isPlain = (value: unknown): value is Fields => isFields(value) && typeof value["id"] !== "string";

/** The differences. A module is one difference. If its description is the same, its fields are compared. */
function differences(
  before: Fields,
  after: Fields,
  path: string,
  named: (id: string) => string,
  prefix = "",
): FieldDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    const name = prefix + key;
    const isNew = was === undefined || is === undefined;
    if (HIDDEN.has(name) || isEqual(was, is)) return [];
    if ((isUnset(was) && isUnset(is)) || (isNew && (was ?? is) === false)) return [];
    const isOne =
      name in modules
        ? isUnset(was) || isUnset(is) || textIn(path, name, was, named) !== textIn(path, name, is, named)
        : fieldAt(path, name) !== undefined;
    const [old, next] = [isPlain(was) ? was : {}, isPlain(is) ? is : {}];
    const isComparable = (isPlain(was) || isUnset(was)) && (isPlain(is) || isUnset(is));
    return isOne || !isComparable
      ? [{ name, before: was, after: is }]
      : differences(old, next, path, named, `${name}.`);
  });
}

/** A value in words, as on pages and in forms. */
function textIn(path: string, name: string, value: unknown, named: (id: string) => string): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (/(?:^|[._])id$/.test(name)) return named(value);
    if (name === "expires_at") return utc(value);
    return fieldAt(path, name)?.options?.find((option) => option.value === value)?.text ?? value;
  }
  if (Array.isArray(value) && fieldAt(path, name)?.type === "sources")
    return typesInWords(value.filter(isFields).map(({ type }) => textOf(type)));
  if (!(name in modules) || !isFields(value)) return inWords(value, named);
  const text = describe(name, value, named) || "On";
  return value["enabled"] === false ? `off, ${text}` : text;
}
