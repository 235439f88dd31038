import * as z from "zod";
import { idPattern, isIdOf } from "../../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { StoredTarget, StoredWebhookVerification } from "../../db/column_types.ts";
import { pageOf } from "../../db/page_statement.ts";
import { eventDestinations, httpsEdgeRoutes as routes, plans } from "../../db/schema.ts";
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
import { and, bound, sql, type Sql, type Statement, type Values } from "../../db/statements.ts";
import { asRow } from "../../db/unchecked.ts";
import { mapSecrets } from "../../delivery/targets.ts";
import { endpoints } from "../../http/endpoints.ts";
import { operation } from "../../http/operation.ts";
import { keyRingFor } from "../../http/sealing_keys.ts";
import { mapSecret } from "../../modules/webhook_verification.ts";
import { commit } from "../../writes/commit.ts";
import { authorized } from "../../writes/requirements.ts";
import { measureRoutes } from "../edges/https_route_statements.ts";
import { rows as destinations } from "../events/event_destinations.ts";

/*
 * Reseals secrets: first those of event destinations, newest first, then those of routes, managed here or elsewhere,
 * then those of plans that can still be applied. A route
 * is named `<edge id>/<route id>`, because its own id need not be unique.
 */

/** The most destinations, and the most routes, handled per request; fewer if their secrets are long. */
const CHUNK = 10;

/** Once the stored secrets handled by a request exceed this many bytes, no further routes are handled. */
const CHUNK_BYTES = 1_000_000;

/** The most plans handled per request: each can have a megabyte. */
const PLANS = 2;

const ROUTE = `${idPattern("https_edge")}/${idPattern("https_edge_route")}`;

const ResealRequest = schema("ResealRequest", () => ({
  examples: [{}],
  type: requestObject({
    before_id: z
      .string()
      .regex(
        new RegExp(`^(?:${idPattern("event_destination", "plan")}|${ROUTE})$`),
        "Expected the next_before_id of an earlier response: the id of an event destination or a plan, or the ids of an HTTPS edge and its route with a slash between.",
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
    looked_at: z.int().describe("Number of destinations, routes and plans examined."),
    resealed: z.int().describe("Number of destinations, routes and plans whose secrets were resealed."),
    unopened: names("Destinations, routes and plans with a secret that none of the keys can open."),
    unwritten: names(
      "Destinations, routes and plans that another request changed in the meantime. A later run includes them again.",
    ),
    next_before_id: z
      .string()
      .nullable()
      .describe("Send this as `before_id` to continue; null when there are no more."),
  }),
}));

/** A row with secrets, as it was read. */
interface Holder {
  /** Its name in responses. */
  name: string;
  /** For a route, its edge. */
  edge_id?: string;
  /** The statement that replaces its secrets with the results of `change`; undefined if none of them changes. */
  replaced: (change: (secret: string, place: string) => Promise<string>) => Promise<Statement | undefined>;
}

/**
 * A row whose secrets are in one column. They are replaced only if the column is still as it was read: a column that was
 * changed in the meantime is kept and reported. Responses do not change, so the version does not either.
 */
const holderOf = <Stored>(
  name: string,
  id: string,
  column: string,
  read: Stored,
  map: (stored: Stored, change: ChangeSecret) => Promise<Stored>,
  replace: (resealed: Stored) => Statement,
): Holder => ({
  name,
  replaced: async (change) => {
    const resealed = await map(read, (secret, member) => change(secret, placeOf(id, `${column}.${member}`)));
    return JSON.stringify(resealed) === JSON.stringify(read) ? undefined : replace(resealed);
  },
});

const replaceTarget = (id: string, read: StoredTarget, resealed: StoredTarget): Sql =>
  sql`update ${eventDestinations} set target = ${bound(resealed)}
    where ${eventDestinations.id} = ${id} and ${eventDestinations.target} = ${bound(read)} returning id`;

const replaceWebhook = (
  { edge_id, id }: { edge_id: string; id: string },
  read: StoredWebhookVerification,
  resealed: StoredWebhookVerification,
): Sql =>
  sql`update ${routes} set webhook_verification = ${bound(resealed)}
    where ${routes.edge_id} = ${edge_id} and ${routes.id} = ${id} and ${routes.webhook_verification} = ${bound(read)} returning id`;

/** A route whose webhook verification is set. */
interface Webhook {
  edge_id: string;
  id: string;
  webhook_verification: StoredWebhookVerification;
}

/**
 * Reads the webhook verification of some routes, newest first, and of one more, to show whether there are more.
 *
 * @param before only routes before this one, which need not exist
 */
function webhooks(before: string | undefined): Sql {
  const [edge_id = "", id = ""] = before?.split("/") ?? [];
  const isBefore =
    before === undefined ? undefined : sql`(${routes.edge_id}, ${routes.id}) < (${edge_id}, ${id})`;
  return sql`select ${routes.edge_id}, ${routes.id}, ${routes.webhook_verification} from ${routes}
    where ${and(sql`${routes.webhook_verification} is not null`, isBefore)}
    order by ${routes.edge_id} desc, ${routes.id} desc limit ${CHUNK + 1}`;
}

/** Some holders of secrets, and where the next chunk starts; null after the last. */
interface Chunk {
  holders: Holder[];
  next: string | null;
}

function destinationsIn(found: Values[]): Chunk {
  const { rows, isMore } = pageOf(found, CHUNK);
  const holders = rows
    .map((row) => destinations.decode(row))
    .map(({ id, target }) =>
      holderOf(id, id, "target", target, mapSecrets, (resealed) => replaceTarget(id, target, resealed)),
    );
  return { holders, next: isMore ? (holders.at(-1)?.name ?? null) : null };
}

function routesIn(found: Values[]): Chunk {
  const holders: Holder[] = [];
  let bytes = 0;
  for (const row of found.slice(0, CHUNK)) {
    if (bytes > CHUNK_BYTES) break;
    const text = String(row["webhook_verification"]);
    bytes += text.length;
    const webhook_verification = routes.webhook_verification.mapFromDriverValue(text);
    const { edge_id, id, webhook_verification: read } = asRow<Webhook>({ ...row, webhook_verification });
    const holder = holderOf(`${edge_id}/${id}`, id, "webhook_verification", read, mapSecret, (resealed) =>
      replaceWebhook({ edge_id, id }, read, resealed),
    );
    holders.push({ ...holder, edge_id });
  }
  return { holders, next: holders.length < found.length ? (holders.at(-1)?.name ?? null) : null };
}

/**
 * Reads the sealed operations of some plans, newest first, and of one more. They can be long.
 *
 * @param before only plans before this one, which need not exist
 */
const sealedPlans = (before: string | undefined): Sql =>
  sql`select ${plans.id}, ${plans.sealed} from ${plans}
    where ${and(sql`${plans.sealed} is not null`, before === undefined ? undefined : sql`${plans.id} < ${before}`)}
    order by ${plans.id} desc limit ${PLANS + 1}`;

function plansIn(found: Values[]): Chunk {
  const { rows, isMore } = pageOf(found, PLANS);
  const holders = rows.map((row): Holder => {
    const id = String(row["id"]);
    const read = String(row["sealed"]);
    return {
      name: id,
      replaced: async (change) => {
        const resealed = await change(read, placeOf(id, "plan.operations"));
        return resealed === read
          ? undefined
          : sql`update ${plans} set sealed = ${resealed} where ${plans.id} = ${id} and ${plans.sealed} = ${read} returning id`;
      },
    };
  });
  return { holders, next: isMore ? (holders.at(-1)?.name ?? null) : null };
}

/** A secret sealed with the ring's first key. @throws if no key opens it */
const resealing = (ring: KeyRing) => async (secret: string, place: string) => {
  // Opened even if it names the current key: another key may have the same id.
  const opened = isSealed(secret) ? await unseal(ring, secret, place) : secret;
  return isCurrent(ring, secret) ? secret : seal(ring, opened, place);
};

/** A chunk, followed by another one if it is the last of its sort. */
const followedBy = (first: Chunk, next: () => Chunk): Chunk => {
  if (first.next !== null) return first;
  const second = next();
  return { holders: [...first.holders, ...second.holders], next: second.next };
};

/** Reads the holders before `before_id`. The last of one sort come with the first of the next, in one round trip. */
async function chunkFrom(session: Session, origin: string, before_id: string | undefined): Promise<Chunk> {
  if (before_id !== undefined && isIdOf("plan", before_id))
    return plansIn(await session.rows(sealedPlans(before_id)));
  const isRoute = before_id?.includes("/") === true;
  const query = { limit: CHUNK, ...(before_id !== undefined && { before_id }) };
  const statements = [webhooks(isRoute ? before_id : undefined), sealedPlans(undefined)];
  if (isRoute) {
    const [routesFound = [], plansFound = []] = await session.batch(statements);
    return followedBy(routesIn(routesFound), () => plansIn(plansFound));
  }
  const [destinationsFound = [], routesFound = [], plansFound = []] = await session.batch([
    destinations.pages.page(origin, query),
    ...statements,
  ]);
  return followedBy(destinationsIn(destinationsFound), () =>
    followedBy(routesIn(routesFound), () => plansIn(plansFound)),
  );
}

export const sealedSecrets = endpoints().post(
  "/reseal",
  ...operation({
    id: "SealedSecretsReseal",
    summary: "Reseal secrets",
    description:
      "Re-encrypts a batch of stored secrets with the first of the `SEALING_KEYS`: first those of event destinations, newest first, then those of HTTPS edge routes, then those in the operations of plans. For operators who have changed that variable. It can be interrupted and resumed at any time.",
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
    for (const { name, edge_id, replaced } of holders) {
      try {
        const statement = await replaced(resealing(ring));
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
