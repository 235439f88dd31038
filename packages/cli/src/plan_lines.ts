import type { Plan } from "./effect.ts";
import { getField, isJsonObject, type Json, type JsonObject, textOf, toJson } from "./json.ts";
import { kindOfId, kinds } from "./kinds.ts";
import { idsIn, nameIn, routeTitle, summaryOf, type TitleOf } from "./names.ts";
import { type Line, paint } from "./output.ts";
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
  lines: Line[];
}

const colors = { "+": "green", "~": "yellow", "-": "red" } as const;

/** Fields that every object has and no operation sets, and those that lists of children show. */
const IDENTITY = new Set(["id", "uri", "created_at", "ip_policy", "edge_id", "routes"]);

/** What each operation of a plan changes. */
export function operationLines({ changes }: Plan, titleIn: TitleOf): Line[] {
  const all = new Map<string, Changed>();
  const changed = (id: string, path: string, body?: unknown): Changed => {
    const known = all.get(id);
    if (known) return known;
    const made = { sign: undefined, title: titleOf(id, path, body, titleIn), lines: [] };
    all.set(id, made);
    return made;
  };
  for (const change of changes) {
    const { object, before, after, truncated } = change;
    const sign = signOf(change);
    const part = partOf(change);
    const id = object?.id ?? idsIn(change.path)[0] ?? change.path;
    const fields = sign === "-" ? [] : fieldLines(fieldsIn(before), fieldsIn(after), sign, titleIn);
    if (part) {
      const { lines } = changed(part.owner, change.path);
      lines.push([paint(colors[sign], `      ${sign} ${part.title}`)]);
      lines.push(...fields.filter(() => part.hasFields).map((line): Line => ["    ", ...spansOf(line)]));
    } else {
      const own = changed(id, change.path, { ...fieldsIn(before), ...fieldsIn(after), ...object });
      own.sign = own.sign === "+" ? "+" : sign;
      own.lines.push(...fields);
    }
    if (truncated) changed(part?.owner ?? id, change.path).lines.push("      … and more");
  }
  return [...all].flatMap(([id, { sign = "~", title, lines }]): Line[] => [
    [
      paint(colors[sign], `  ${sign} ${title}`),
      paint("dim", id.startsWith("$") || title.endsWith(id) ? "" : `  ${id}`),
    ],
    ...lines,
  ]);
}

const signOf = ({ method, path, before, after }: Change): Sign => {
  const isWhole = /^\/[a-z_]+(?:\/(?:tcp|tls|https|[a-z_]+_?[a-z]*))?$/.test(path) || before === null;
  if (method === "POST" && (after !== undefined ? before === null : isWhole)) return "+";
  return method === "DELETE" && after === null ? "-" : "~";
};

const spansOf = (line: Line) => (typeof line === "string" ? [line] : line);

/** "static_backends.shop", or what is known of an object without a name. */
function titleOf(id: string, path: string, body: unknown, titleIn: TitleOf): string {
  const kind = kindOfId(id) ?? kinds.find((one) => path === one.path);
  const created = id.startsWith("$") ? nameIn(id.slice(1)) : undefined;
  const known = created === undefined ? titleIn(id) : `${kind?.section ?? "objects"}.${created}`;
  if (known !== undefined) return known;
  const summary = summaryOf(body);
  const noun = kind?.noun ?? "object";
  return summary === "" || summary.startsWith("created ") ? `${noun} ${id}` : `${noun} ${summary}`;
}

/** A rule or a route: what it is called, and the object that it belongs to. */
function partOf({ object, path, before, after }: Change) {
  const fields = { ...fieldsIn(before), ...fieldsIn(after) };
  if (object?.id.startsWith("ipr_") || path.startsWith("/ip_policy_rules")) {
    const owner = textOf(getField(fields["ip_policy"], "id"));
    const ends = textOf(fields["expires_at"]);
    const title = `rule ${textOf(fields["action"])} ${textOf(fields["cidr"])}${ends === "" ? "" : ` until ${ends}`}`;
    return { owner, title, hasFields: false };
  }
  const [edge] = idsIn(path);
  if (edge !== undefined && /\/routes\b/.test(path))
    return { owner: edge, title: routeTitle(fields), hasFields: true };
  return undefined;
}

const fieldsIn = (value: unknown): JsonObject => {
  const json = toJson(value);
  return isJsonObject(json) ? json : {};
};

/** The lines of the fields that change; of a new object, of those that are set. */
function fieldLines(before: JsonObject, after: JsonObject, sign: Sign, titleIn: TitleOf): Line[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !IDENTITY.has(name),
  );
  return names.flatMap((field): Line[] => {
    const [from, to] = [before[field], after[field]].map((value) => named(value, titleIn));
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

/** A value as files have it: names in place of references, and without what is not set. */
function named(value: Json | undefined, titleIn: TitleOf): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => named(item, titleIn) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value === "string" && value.startsWith("$")) return nameIn(value.slice(1)) ?? value;
  if (!isJsonObject(value)) return value;
  const id = textOf(value["id"]);
  if (isRef(value)) return titleIn(id)?.replace(/^\w+\./, "") ?? id;
  const fields = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    const one = name === "enabled" && item === true ? undefined : named(item, titleIn);
    return one === undefined ? [] : [[referring(name, item), one]];
  });
  return fields.length === 0 && !("enabled" in value) ? undefined : Object.fromEntries(fields);
}
