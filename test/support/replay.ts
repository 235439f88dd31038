import type { Json } from "./json.ts";

/*
 * The event log against the rows: replayed from empty, together with the side effects of deletions, it must produce the
 * rows. So there is no change without its event, and no event without its change.
 */

/**
 * Kinds whose objects are deleted along with an object, by the kind of the latter, with the column that holds its id.
 */
const CASCADES: Record<string, string> = {
  ip_policy: "ip_policy_id",
  https_edge: "edge_id",
  bot_user: "owner_id",
};

/** Columns that change without an event, and why. */
const UNRECORDED: Record<string, string> = {
  version: "that of an edge moves with its routes, that of a key with its use",
  last_used_at: "using a key is not a change",
  routes_bytes: "moves with the routes",
  routes_refs: "moves with the routes",
  routes: "compared at the time of the event",
  rules: "compared with the rules that are there",
  since: "is shown nowhere",
  secrets_changed: "is about the change",
  rules_replaced: "is about the change",
  token_sha256: "a secret",
  account_key: "a secret",
};

/** An event, with its object as JSON text: a row of the table `events`. */
interface Recorded {
  seq: number;
  type: string;
  object: string;
}

/** The key of a row in the log, because routes that are managed elsewhere can share their ids. */
const keyOf = ({ id, edge_id }: Json): string => (edge_id === undefined ? id : `${edge_id}/${id}`);

/** Rules as text, in order. */
const rulesIn = (rules: Json[]): string =>
  rules
    .map(({ cidr, action, description, metadata, expires_at }) =>
      JSON.stringify([cidr, action, description, metadata, expires_at]),
    )
    .toSorted()
    .join();

/** The rows that the log describes, by key, and the contradictions within the log. */
export function replayed(events: Recorded[]): { rows: Map<string, Json>; faults: string[] } {
  const rows = new Map<string, Json>();
  const faults: string[] = [];
  for (const { seq, type, object } of events.toSorted((a, b) => a.seq - b.seq)) {
    const [, kind = "", verb] = /^(.*)_(created|updated|deleted)\.v0$/.exec(type) ?? [];
    const row: Json = JSON.parse(object);
    const key = keyOf(row);
    const known = rows.get(key);
    const isElsewhere = row["created_at"] === null;
    if (verb === "created" ? known : !known && !isElsewhere)
      faults.push(`event ${seq}, ${type}, of ${key}: it was ${known ? "" : "not "}there`);
    if (verb !== "deleted") rows.set(key, row);
    else {
      if (!row["truncated"] && known && !known["truncated"] && comparable(known) !== comparable(row))
        faults.push(`event ${seq}, ${type}, shows ${comparable(row)}; it was ${comparable(known)}`);
      if (
        row["rules"] &&
        rulesIn(row["rules"]) !==
          rulesIn([...rows.values()].filter(({ ip_policy_id }) => ip_policy_id === row["id"]))
      )
        faults.push(`event ${seq}, ${type}, shows the rules ${rulesIn(row["rules"])}`);
      rows.delete(key);
      const owner = CASCADES[kind];
      if (owner !== undefined)
        for (const [other, { [owner]: id }] of rows) if (id === row["id"]) rows.delete(other);
    }
    const { routes } = row;
    if (!routes) continue;
    const logged = routes.map(comparable).toSorted().join("\n");
    const is = [...rows.values()]
      .filter(({ edge_id, truncated }) => edge_id === row["id"] && !truncated)
      .map(comparable)
      .toSorted()
      .join("\n");
    if (verb !== "deleted" && logged !== is)
      faults.push(`event ${seq} shows other routes of ${key} than its own events`);
  }
  return { rows, faults };
}

/** Plans are not configuration: their events show only a part of them. */
const isPlan = (key: string): boolean => key.startsWith("pln_");

/** The contradictions between the log and the rows of all tables. */
export function replayFaults({ events = [], ...tables }: Record<string, Json[]>): string[] {
  const { rows: logged, faults } = replayed(events as unknown as Recorded[]);
  const stored = Object.values(tables)
    .flat()
    .filter(({ id }) => id !== undefined);
  const keys = new Set(stored.map(keyOf));
  const gone = [...logged.keys()]
    // Plans are deleted without an event.
    .filter((key) => !keys.has(key) && !isPlan(key))
    .map((key) => `the log has ${key}, which is not stored`);
  const wrong = stored.flatMap((row) => {
    const key = keyOf(row);
    const known = logged.get(key);
    if (isPlan(key)) return [];
    if (!known) return [`${key} is stored, but not in the log`];
    if (known["truncated"] || comparable(known) === comparable(decoded(row))) return [];
    return [`${key} is ${comparable(decoded(row))}; the log says ${comparable(known)}`];
  });
  return [...faults, ...gone, ...wrong];
}

/**
 * A stored row as the log shows it: JSON columns parsed, 1 and 0 as true and false where the log has booleans, no
 * secrets.
 */
const decoded = (row: Json): Json =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && /^[[{]/.test(value)
        ? parsed(value)
        : /^(?:active|enabled|terms_of_service_agreed)$/.test(name)
          ? value === 1
          : value,
    ]),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const SECRETS = new Set([
  "fingerprint",
  "cloud_secret_access_key",
  "api_key",
  "client_secret",
  "secret",
  "hmac_key",
  "previous",
]);

/** A row as a string, without secrets and without what changes unrecorded. */
const comparable = (row: Json): string => {
  const entries = Object.entries(row).filter(([name]) => !(name in UNRECORDED));
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), (name, value) =>
    SECRETS.has(name) ? undefined : value,
  );
};
