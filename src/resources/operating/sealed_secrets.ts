import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { idPattern, isIdOf } from "../../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type {
  StoredExternalAccount,
  StoredTarget,
  StoredWebhookVerification,
} from "../../db/column_types.ts";
import { pageOf } from "../../db/page_statement.ts";
import type { ObjectTable } from "../../db/rows.ts";
import {
  certificateIssuers as issuers,
  eventDestinations,
  httpsEdgeRoutes as routes,
  plans,
} from "../../db/schema.ts";
import {
  type ChangeSecret,
  isCurrent,
  isSealed,
  type KeyRing,
  placeOf,
  seal,
  unseal,
} from "../../db/seals.ts";
import type { Session } from "../../db/session.ts";
import { and, bare, join, sql, type Sql, type Statement, type Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { byKey } from "../../db/uses.ts";
import { mapSecrets } from "../../delivery/targets.ts";
import { operation } from "../../http/operation.ts";
import { endpoints } from "../../http/router.ts";
import { keyRingFor } from "../../http/sealing_keys.ts";
import { mapAccountKey, mapExternalAccount } from "../../issuing/issuer_secrets.ts";
import { mapSecret } from "../../modules/webhook_verification.ts";
import { commit } from "../../writes/commit.ts";
import { authorized } from "../../writes/requirements.ts";
import { measureRoutes } from "../edges/https_route_statements.ts";
import { rows as destinations } from "../events/event_destinations.ts";

/*
 * Reseals secrets: first those of event destinations, newest first, then those of routes, managed here or elsewhere,
 * then those of plans that can still be applied, then those of certificate issuers. A route
 * is named `<edge id>/<route id>`, because its own id need not be unique.
 */

/** The most objects of each kind handled per request; fewer if their secrets are long. */
const CHUNK = 10;

/** After this many bytes of stored secrets of one kind, a request handles no more secrets of the kind. */
const CHUNK_BYTES = 1_500_000;

/** The same for plans: each can have a megabyte. */
const PLANS = 2;

const ROUTE = `${idPattern("https_edge")}/${idPattern("https_edge_route")}`;

const ResealRequest = schema("ResealRequest", () => ({
  examples: [{}],
  type: requestObject({
    before_id: z
      .string()
      .regex(
        new RegExp(`^(?:${idPattern("event_destination", "plan", "certificate_issuer")}|${ROUTE})$`),
        "Expected the next_before_id of an earlier response: the id of an event destination, a plan or a certificate issuer, or the ids of an HTTPS edge and its route with a slash between.",
      )
      .describe(
        "The `next_before_id` of the previous response. If omitted, starts with the newest destination.",
      )
      .exactOptional(),
  }),
}));

const names = (what: string) =>
  z.array(z.string()).describe(`${what} A route is named by its edge's id, a slash and its own id.`);

const ResealResponse = schema("ResealResponse", () => ({
  examples: [{ looked_at: 10, resealed: 4, unopened: [], unwritten: [], next_before_id: null }],
  type: z.strictObject({
    looked_at: z.int().describe("Number of objects examined."),
    resealed: z.int().describe("Number of objects whose secrets were resealed."),
    unopened: names("Objects with a secret that none of the keys can open."),
    unwritten: names(
      "Objects that another request changed in the meantime. A later run includes them again.",
    ),
    next_before_id: z
      .string()
      .nullable()
      .describe("Send this as `before_id` to continue; null when there are no more."),
  }),
}));

/** A column with secrets. */
interface Sealed {
  column: SQLiteColumn;
  /** The column with each of its secrets changed. @param stored the column as it was read */
  map: (stored: string, change: ChangeSecret) => Promise<string>;
  /** Secrets are bound to their object and this field. */
  field: string;
}

/** Objects with secrets. */
interface Sort {
  table: ObjectTable;
  /** The most that are handled per request. */
  limit: number;
  /** Reads a page of rows and one more, newest first. @param before only rows before this id, which need not exist */
  read: (before: string | undefined, origin: string) => Statement;
  columns: Sealed[];
}

/** Reads rows by descending id. */
const newest = (
  table: ObjectTable,
  columns: Sql,
  limit: number,
  before: string | undefined,
  condition?: Sql,
): Statement =>
  sql`select ${table.id}, ${columns} from ${table}
    where ${and(condition, before === undefined ? undefined : sql`${table.id} < ${before}`)}
    order by ${table.id} desc limit ${limit + 1}`;

/** In the order in which they are handled. */
const sorts: Sort[] = [
  {
    table: eventDestinations,
    limit: CHUNK,
    read: (before_id, origin) =>
      destinations.pages.page(origin, { limit: CHUNK, ...(before_id !== undefined && { before_id }) }),
    columns: [
      {
        column: eventDestinations.target,
        map: async (stored, change) =>
          JSON.stringify(await mapSecrets(parsedAs<StoredTarget>(stored), change)),
        field: "target",
      },
    ],
  },
  {
    table: routes,
    limit: CHUNK,
    read(before) {
      const [edge_id = "", id = ""] = before?.split("/") ?? [];
      const isBefore =
        before === undefined ? undefined : sql`(${routes.edge_id}, ${routes.id}) < (${edge_id}, ${id})`;
      return sql`select ${routes.edge_id}, ${routes.id}, ${routes.webhook_verification} from ${routes}
        where ${and(sql`${routes.webhook_verification} is not null`, isBefore)}
        order by ${routes.edge_id} desc, ${routes.id} desc limit ${CHUNK + 1}`;
    },
    columns: [
      {
        column: routes.webhook_verification,
        map: async (stored, change) =>
          JSON.stringify(await mapSecret(parsedAs<StoredWebhookVerification>(stored), change)),
        field: "webhook_verification",
      },
    ],
  },
  {
    table: plans,
    limit: PLANS,
    read: (before) => newest(plans, sql`${plans.sealed}`, PLANS, before, sql`${plans.sealed} is not null`),
    columns: [{ column: plans.sealed, map: (stored, change) => change(stored, "operations"), field: "plan" }],
  },
  {
    table: issuers,
    limit: CHUNK,
    read: (before) =>
      newest(issuers, sql`${issuers.account_key}, ${issuers.external_account}`, CHUNK, before),
    columns: [
      { column: issuers.account_key, map: mapAccountKey, field: "account_key" },
      {
        column: issuers.external_account,
        map: async (stored, change) =>
          JSON.stringify(await mapExternalAccount(parsedAs<StoredExternalAccount>(stored), change)),
        field: "external_account",
      },
    ],
  },
];

/** A row with secrets, as it was read. */
interface Holder {
  sort: Sort;
  id: string;
  /** For a route, its edge. */
  edge_id?: string;
  /** Its name in responses. */
  name: string;
  /** Each of the columns; null if it is not set. */
  stored: (string | null)[];
}

/** Some holders of secrets, and where the next chunk starts; null after the last. */
interface Chunk {
  holders: Holder[];
  next: string | null;
}

function chunkOf(sort: Sort, found: Values[]): Chunk {
  const { rows, isMore } = pageOf(found, sort.limit);
  const holders: Holder[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes > CHUNK_BYTES) break;
    const id = String(row["id"]);
    const stored = sort.columns.map(({ column }) => {
      const value = row[column.name];
      return typeof value === "string" ? value : null;
    });
    bytes += stored.reduce((sum, text) => sum + (text ?? "").length, 0);
    if (typeof row["edge_id"] !== "string") holders.push({ sort, id, name: id, stored });
    else holders.push({ sort, id, edge_id: row["edge_id"], name: `${row["edge_id"]}/${id}`, stored });
  }
  const isLast = !isMore && holders.length === rows.length;
  return { holders, next: isLast ? null : (holders.at(-1)?.name ?? null) };
}

/** Which of the {@link sorts} an id belongs to. */
function placeOfFirst(id: string): number {
  if (id.includes("/")) return 1;
  return isIdOf("plan", id) ? 2 : isIdOf("certificate_issuer", id) ? 3 : 0;
}

/** Reads the holders before `before_id`. The last ones of one kind and the first ones of the next kind are read in one round trip. */
async function chunkFrom(session: Session, origin: string, before_id = ""): Promise<Chunk> {
  const left = sorts.slice(placeOfFirst(before_id));
  const found = await session.batch(
    left.map(({ read }, i) => read(i === 0 && before_id !== "" ? before_id : undefined, origin)),
  );
  const holders: Holder[] = [];
  for (const [i, sort] of left.entries()) {
    const chunk = chunkOf(sort, found[i] ?? []);
    holders.push(...chunk.holders);
    if (chunk.next !== null) return { holders, next: chunk.next };
  }
  return { holders, next: null };
}

/**
 * The statement that seals the secrets of a row with the ring's first key; undefined if they already are. It replaces them only if
 * they have not changed since they were read. Secrets that have changed are kept and reported. Responses do not change, so the
 * version does not either.
 *
 * @throws if no key opens a secret
 */
async function resealing(ring: KeyRing, { sort, id, edge_id, stored }: Holder): Promise<Sql | undefined> {
  const { table, columns } = sort;
  const [set, where]: [Sql[], Sql[]] = [[], []];
  for (const [i, { column, map, field }] of columns.entries()) {
    const text = stored[i] ?? null;
    if (text === null) continue;
    const resealed = await map(text, async (secret, member) => {
      const place = placeOf(id, `${field}.${member}`);
      // Opened even if it names the current key: another key may have the same id.
      const opened = isSealed(secret) ? await unseal(ring, secret, place) : secret;
      return isCurrent(ring, secret) ? secret : seal(ring, opened, place);
    });
    if (resealed === text) continue;
    set.push(sql`${bare(column)} = ${resealed}`);
    where.push(sql`${column} = ${text}`);
  }
  if (set.length === 0) return undefined;
  const key = byKey({ table }, { id, ...(edge_id !== undefined && { edge_id }) });
  return sql`update ${table} set ${join(set)} where ${and(key, ...where)} returning id`;
}

export const sealedSecrets = endpoints().post(
  "/reseal",
  operation({
    id: "SealedSecretsReseal",
    summary: "Reseal secrets",
    description:
      "Re-encrypts a batch of stored secrets with the first of the `SEALING_KEYS`: first those of event destinations, newest first, then those of HTTPS edge routes, then those in the operations of plans, then those of certificate issuers. For operators who have changed that variable. It can be interrupted and resumed at any time.",
    tag: "Service",
    access: "admin",
    body: ResealRequest,
    status: 200,
    response: ResealResponse,
  }),
  async (c) => {
    const { session, origin } = c.get("request");
    const ring = await keyRingFor(c);
    const { before_id } = c.req.valid("json");
    const { holders, next } = await chunkFrom(session, origin, before_id);
    const unopened: string[] = [];
    const changes: { name: string; statement: Statement }[] = [];
    const edges = new Set<string>();
    for (const holder of holders) {
      const { name, edge_id } = holder;
      try {
        const statement = await resealing(ring, holder);
        if (!statement) continue;
        changes.push({ name, statement });
        if (edge_id !== undefined) edges.add(edge_id);
      } catch {
        unopened.push(name);
      }
    }
    // The length of a sealed secret depends on the id of its key.
    const measured = Array.from(edges, measureRoutes);
    const statements = [...changes.map(({ statement }) => statement), ...measured];
    return commit(c, {
      requires: [authorized(c)],
      change: () => ({ statements }),
      otherwise(all) {
        const unwritten = changes.filter((_, i) => all[i]?.length === 0).map(({ name }) => name);
        const body = {
          looked_at: holders.length,
          resealed: changes.length - unwritten.length,
          unopened,
          unwritten,
          next_before_id: next,
        };
        return { status: 200, body };
      },
    });
  },
);
