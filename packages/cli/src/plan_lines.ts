import type { Plan } from "./effect.ts";
import { getField, isJsonObject, type Json, type JsonObject, textOf, toJson } from "./json.ts";
import { kindOfId, kinds } from "./kinds.ts";
import { idsIn, nameInLabel, routeTitle, summaryOf, type TitleOf } from "./names.ts";
import { indented, type OutputLine, paint } from "./output.ts";
import { changeLines, valueLines } from "./report.ts";

/*
 * What the operations of a plan change, in the same form as the differences between a file and the service: each object once, with its
 * fields, rules and routes. Objects have their names in the file, or else their descriptions.
 */

type Change = Plan["changes"][number];
type Sign = "+" | "~" | "-";

/** An object that a plan changes. */
interface Changed {
  /** Undefined while only rules or routes of it change. */
  sign: Sign | undefined;
  title: string;
  lines: OutputLine[];
}

const colors = { "+": "green", "~": "yellow", "-": "red" } as const;

/** Fields that every object has and no operation sets, and those that lists of children show. */
const IDENTITY = new Set(["id", "uri", "created_at", "ip_policy", "edge_id", "routes"]);

/** What each operation of a plan changes. */
export function operationLines({ changes }: Pick<Plan, "changes">, titleIn: TitleOf): OutputLine[] {
  const all = new Map<string, Changed>();
  const changed = (id: string, path: string, body?: unknown): Changed => {
    const known = all.get(id);
    if (known) return known;
    const made = { sign: undefined, title: titleOf(id, path, body, titleIn), lines: [] };
    all.set(id, made);
    return made;
  };
  for (const change of changes) {
    const { object, before, after, path, truncated } = change;
    const sign = signOf(change);
    const part = partOf(change, titleIn);
    const id = object?.id ?? idsIn(path)[0] ?? path;
    const shown = part && sign === "+" ? withoutKey(fieldsIn(after)) : fieldsIn(after);
    const fields = sign === "-" ? [] : fieldLines(fieldsIn(before), shown, sign, titleIn);
    if (part) {
      const { lines } = changed(part.owner, path);
      lines.push([paint(colors[sign], `      ${sign} ${part.title}`)]);
      lines.push(...fields.map((line) => indented("    ", line)));
    } else {
      const own = changed(id, path, { ...fieldsIn(before), ...fieldsIn(after), ...object });
      own.sign = own.sign === "+" && sign === "~" ? "+" : sign;
      own.lines.push(...fields);
    }
    if (truncated) changed(part?.owner ?? id, path).lines.push("      … and more");
  }
  return [...all].flatMap(([id, { sign = "~", title, lines }]): OutputLine[] => [
    [
      paint(colors[sign], `  ${sign} ${title}`),
      paint("dim", id.startsWith("$") || title.endsWith(id) ? "" : `  ${id}`),
    ],
    ...lines,
  ]);
}

/** The fields of a new rule or route that its title does not have. */
function withoutKey({ match_type, match, cidr, action, expires_at, ...others }: JsonObject): JsonObject {
  return others;
}

/** Whether a segment of a path is an id, or the name of an object that the plan creates. */
const isId = (segment = ""): boolean => /^\$|^[a-z]{2,8}_[0-9A-Za-z]{27}$/.test(segment);

/** An operation on a module changes the object that has it. */
function signOf({ method, path }: Change): Sign {
  const isWhole = isId(path.split("/").at(-1));
  if (method === "POST" && !isWhole) return "+";
  return method === "DELETE" && isWhole ? "-" : "~";
}

/** "static_backends.shop", or what is known of an object without a name. */
function titleOf(id: string, path: string, body: unknown, titleIn: TitleOf): string {
  const kind = kindOfId(id) ?? kinds.find((one) => path === one.path);
  const created = id.startsWith("$") ? nameInLabel(id.slice(1)) : undefined;
  const known = created === undefined ? titleIn(id) : `${kind?.section ?? "objects"}.${created}`;
  if (known !== undefined) return known;
  const summary = summaryOf(body);
  const noun = kind?.noun ?? (id.startsWith("ipr_") ? "rule" : "object");
  return summary === "" || summary.startsWith("created ") ? `${noun} ${id}` : `${noun} ${summary}`;
}

/** A rule or a route: what it is called, and the object that it belongs to. Changes have only the fields that change. */
function partOf({ object, path, before, after }: Change, titleIn: TitleOf) {
  const fields = { ...fieldsIn(before), ...fieldsIn(after) };
  const [, edge] = /^\/edges\/https\/([^/]+)\/routes(?:\/|$)/.exec(path) ?? [];
  if (edge !== undefined) {
    const id = object?.id ?? path;
    const known = titleIn(id)?.replace(/^\S+ (?=route )/, "");
    const title = fields["match"] === undefined ? (known ?? `route ${id}`) : routeTitle(fields);
    return { owner: edge, title };
  }
  const policy = textOf(getField(fields["ip_policy"], "id"));
  // A rule that is changed does not say which policy it is of.
  if (!path.startsWith("/ip_policy_rules") || policy === "") return undefined;
  const ends = textOf(fields["expires_at"]);
  const until = ends === "" ? "" : ` until ${ends}`;
  const title = `rule ${textOf(fields["action"])} ${textOf(fields["cidr"])}${until}`;
  return { owner: policy, title };
}

const fieldsIn = (value: unknown): JsonObject => {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
};

/** The lines of the fields that change; of a new object, of those that are set. */
function fieldLines(before: JsonObject, after: JsonObject, sign: Sign, titleIn: TitleOf): OutputLine[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !IDENTITY.has(name),
  );
  return names.flatMap((field): OutputLine[] => {
    const isSwitched = [before, after].some((fields) => getField(fields[field], "enabled") === false);
    const [from, to] = [before[field], after[field]].map((value) =>
      value === "" ? undefined : named(value, titleIn, isSwitched),
    );
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (sign === "+") return valueLines(field, to).map((line) => `      ${line}`);
    return changeLines({ field, from, to }).map((line) => ["      ", ...line]);
  });
}

const isRef = (value: Json): boolean =>
  isJsonObject(value) && Object.keys(value).length === 2 && "id" in value && "uri" in value;

/** What files call a field: `backend_id` for a reference, `ip_policy_ids` for a list of references. */
function referring(name: string, value: Json): string {
  if (isRef(value)) return `${name}_id`;
  const areRefs = Array.isArray(value) && value.length > 0 && value.every(isRef);
  return areRefs ? `${name.replace(/ies$/, "y").replace(/s$/, "")}_ids` : name;
}

/** An id or the name of an operation as files have it. */
const nameOf = (id: string, titleIn: TitleOf): string =>
  (id.startsWith("$") ? nameInLabel(id.slice(1)) : titleIn(id)?.replace(/^\w+\./, "")) ?? id;

/** A value as files have it: names in place of references, and without what is not set. @param isSwitched whether `enabled` matters */
function named(value: Json | undefined, titleIn: TitleOf, isSwitched: boolean): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => named(item, titleIn, isSwitched) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value === "string") return value.startsWith("$") ? nameOf(value, titleIn) : value;
  if (!isJsonObject(value)) return value;
  if (isRef(value)) return nameOf(textOf(value["id"]), titleIn);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, Json][] => {
      const isDefault = name === "enabled" && item === true && !isSwitched;
      const one = isDefault ? undefined : named(item, titleIn, isSwitched);
      return one === undefined ? [] : [[isId(name) ? nameOf(name, titleIn) : referring(name, item), one]];
    }),
  );
}
