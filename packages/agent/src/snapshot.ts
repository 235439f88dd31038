import { isIP } from "node:net";
import * as z from "zod";
import { idSchema } from "../../../src/ids.ts";
import { anyBackend, leafBackends, type Kind } from "../../../src/kinds.ts";
import { headerName } from "../../../src/values/header_map.ts";
import { hostport, listeningPoint } from "../../../src/values/hostports.ts";
import { nonEmpty, string, uint32 } from "../../../src/values/members.ts";
import { requestPath } from "../../../src/values/request_path.ts";
import { Refusal } from "./refusal.ts";

/*
 * The configuration that the agent serves, as `GET /snapshot` returns it. Parts of it become HAProxy configuration and names of
 * files, so the agent uses only what matches this schema, whether it comes from the service or from disk. It rejects members
 * that it does not know, because they may restrict access in a way that it cannot enforce.
 */

const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `Unknown field ${JSON.stringify(issue.keys?.[0])}. Update the agent.`
        : undefined,
  });

/*
 * Lists and maps stop at the first wrong item: a forged body may have millions. `z.record` would also drop a member named
 * `__proto__`, which is a valid header name.
 */

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Passes on what is wrong with an item. */
function reject({ issues }: z.ZodError, place: string | number, context: z.core.$RefinementCtx): false {
  for (const { path, message } of issues)
    context.addIssue({ code: "custom", path: [place, ...path], message });
  return false;
}

const list = <Item>(item: z.ZodType<Item>) =>
  z.custom<unknown[]>(Array.isArray, "Expected a list.").transform((values, context) => {
    const items: Item[] = [];
    const isRight = values.every((value, index) => {
      const parsed = item.safeParse(value);
      if (!parsed.success) return reject(parsed.error, index, context);
      return items.push(parsed.data);
    });
    return isRight ? items : z.NEVER;
  });

const map = <Value>(key: z.ZodType<string>, member: z.ZodType<Value>) =>
  z.custom<Record<string, unknown>>(isObject, "Expected an object.").transform((values, context) => {
    const members: [string, Value][] = [];
    const isRight = Object.entries(values).every(([name, value]) => {
      const checked = key.safeParse(name);
      if (!checked.success) return reject(checked.error, name, context);
      const parsed = member.safeParse(value);
      if (!parsed.success) return reject(parsed.error, name, context);
      return members.push([name, parsed.data]);
    });
    return isRight ? Object.fromEntries(members) : z.NEVER;
  });

/** A list of objects without two of the same id. */
const unique = <Item extends { id: string }>(item: z.ZodType<Item>) =>
  list(item).superRefine((items, context) => {
    const seen = new Set<string>();
    const index = items.findIndex(({ id }) => seen.size === seen.add(id).size);
    if (index >= 0)
      context.addIssue({
        code: "custom",
        path: [index, "id"],
        message: "Another item of the list has the same id.",
      });
  });

const ids = (...allowed: [Kind, ...Kind[]]) => list(idSchema(...allowed));

/** Where an edge listens, in the one form in which hostports can be compared. */
const listening = () =>
  hostport().refine((value) => {
    const { host, port } = listeningPoint(value);
    return `${host}:${port}` === value;
  }, "Expected a canonical host: a lower-case name without a trailing dot, or an address in the form of RFC 5952.");

/** An address and the length of a prefix. Checked without schemas, as there may be millions. */
function isRange(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const [, address = "", length = ""] = /^([\d.]+|[\da-f:.]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(length) <= (family === 4 ? 32 : 128);
}

const ranges = () =>
  z.custom<string[]>(Array.isArray, "Expected a list.").superRefine((items, context) => {
    const index = items.findIndex((item) => !isRange(item));
    if (index >= 0)
      context.addIssue({ code: "custom", path: [index], message: "Expected a range in CIDR notation." });
  });

/** A value that stays within its header (RFC 9110 §5.5). */
const headerValue = () =>
  string().refine((value) => !/[\r\n\0]/.test(value), "A value must not contain CR, LF or NUL.");
const headers = () => map(headerName(), headerValue());

const LONGEST_PEM = 32_768;
const PEM = /^-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]+={0,2}\n)+-----END CERTIFICATE-----\n?$/;
const certificate = () => z.string().max(LONGEST_PEM).regex(PEM, "Expected exactly one PEM certificate.");

const problem = object({ object: z.string(), code: z.string(), msg: z.string() });

const restriction = object({
  /** Nobody is let in if there are none. */
  ip_policy_ids: ids("ip_policy"),
});
const target = object({ backend_id: idSchema(...anyBackend) });
const trafficPolicy = object({ value: z.string() });
const termination = object({ min_version: z.enum(["1.0", "1.1", "1.2", "1.3"]) });
const mutualTls = object({ certificate_authority_ids: ids("certificate_authority") });
const isOn = object({});
const headerChanges = object({ add: headers().nullable(), remove: list(headerName()).nullable() });

const EXPRESSION_BYTES = 1024;
const expressions = () => list(nonEmpty(EXPRESSION_BYTES)).nullable();

const route = object({
  id: idSchema("https_edge_route"),
  match_type: z.enum(["exact_path", "path_prefix"]),
  match: requestPath(),
  /** Without it, the path answers 503 and never falls through to a shorter route: its backend or a module cannot be served. */
  backend: target.exactOptional(),
  ip_restriction: restriction.exactOptional(),
  traffic_policy: trafficPolicy.exactOptional(),
  circuit_breaker: object({
    tripped_duration: uint32(),
    rolling_window: uint32(1),
    num_buckets: uint32(1, 128),
    volume_threshold: uint32(),
    error_threshold_percentage: z.number().min(0).max(1),
  }).exactOptional(),
  request_headers: headerChanges.exactOptional(),
  response_headers: headerChanges.exactOptional(),
  compression: isOn.exactOptional(),
  user_agent_filter: object({ allow: expressions(), deny: expressions() }).exactOptional(),
  websocket_tcp_converter: isOn.exactOptional(),
});

const frame = (kind: Kind) => ({ id: idSchema(kind), hostports: list(listening()) });
const forwarding = {
  backend: target,
  ip_restriction: restriction.exactOptional(),
  traffic_policy: trafficPolicy.exactOptional(),
};

/** Only enabled modules are there, without `enabled`. */
const edge = z.discriminatedUnion("kind", [
  object({ ...frame("tcp_edge"), kind: z.literal("tcp"), ...forwarding }),
  object({
    ...frame("tls_edge"),
    kind: z.literal("tls"),
    ...forwarding,
    /** Without it, TLS passes through to the upstream. */
    tls_termination: termination.exactOptional(),
    mutual_tls: mutualTls.exactOptional(),
  }).refine(({ tls_termination, mutual_tls }) => tls_termination !== undefined || mutual_tls === undefined, {
    path: ["mutual_tls"],
    message: "Cannot be enforced without tls_termination.",
  }),
  object({
    ...frame("https_edge"),
    kind: z.literal("https"),
    tls_termination: termination,
    mutual_tls: mutualTls.exactOptional(),
    routes: unique(route),
  }),
]);

const backend = z.discriminatedUnion("kind", [
  object({ kind: z.literal("static"), address: hostport(), tls: z.boolean() }),
  object({
    kind: z.literal("http_response"),
    status_code: uint32(200, 599),
    headers: headers(),
    body: z.string(),
  }),
  /** In order; there are no cycles. */
  object({ kind: z.literal("failover"), backends: ids(...anyBackend) }),
  object({ kind: z.literal("weighted"), backends: map(idSchema(...leafBackends), uint32(0, 10_000)) }),
]);

/** The schema of everything that is to be served, of one instant. */
export const snapshotSchema = object({
  /** Number of the newest change. */
  version: uint32(0, Number.MAX_SAFE_INTEGER),
  /** Oldest first. */
  edges: unique(edge),
  /** Those of restrictions, with ranges in canonical form. A deleted policy is there with empty lists. */
  ip_policies: map(idSchema("ip_policy"), object({ allow: ranges(), deny: ranges() })),
  backends: map(idSchema(...anyBackend), backend),
  certificate_authorities: map(idSchema("certificate_authority"), certificate()),
  /** What is not served as written, by object and code. */
  problems: list(problem),
});

export type Snapshot = z.output<typeof snapshotSchema>;
export type Edge = z.output<typeof edge>;
export type Route = z.output<typeof route>;
export type Backend = z.output<typeof backend>;
export type Problem = z.output<typeof problem>;
export type IpRestriction = z.output<typeof restriction>;

const LONGEST_PLACE = 200;

/** What matches a schema. @throws Refusal that names the first member that does not */
export function matching<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = (issue?.path ?? []).map((step) => `/${String(step)}`).join("");
  throw new Refusal(`${place.slice(0, LONGEST_PLACE) || "/"}: ${issue?.message ?? "Invalid."}`);
}
