// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { get, patch, post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "../support/operations.ts";
import { build, drawn, requested, world } from "../support/random_world.ts";
import { empty } from "../support/stored.ts";
import { operationOf, undoing } from "../support/undoing.ts";

/*
 * Whatever a request changes, undoing it gives the same configuration, except for ids and times. Every text in it is the id of
 * an object, and none of these texts changes.
 */

const LISTS = {
  "/edges/tcp": "tcp_edges",
  "/edges/tls": "tls_edges",
  "/edges/https": "https_edges",
  "/ip_policies": "ip_policies",
  "/ip_policy_rules": "ip_policy_rules",
  "/backends/static": "backends",
  "/backends/http_response": "backends",
  "/backends/failover": "backends",
  "/backends/weighted": "backends",
  "/certificate_authorities": "certificate_authorities",
  "/certificate_issuers": "certificate_issuers",
  "/event_destinations": "event_destinations",
  "/event_subscriptions": "event_subscriptions",
};

/** Fields that differ afterwards: an issuer that is created again has another account. */
const OTHERWISE = new Set(["uri", "created_at", "routes", "thumbprint", "account_uri", "caa", "last_error"]);

const TYPES = ["ip_policy_created.v0", "ip_policy_updated.v0", "tcp_edge_deleted.v0"];
const role = { role: { role_arn: "arn:aws:iam::123456789012:role/edge-events" } };
const targets: Json[] = [
  { cloud_logs: { auth: role, log_group_arn: "arn:aws:logs:eu-west-1:123456789012:log-group:edge" } },
  { cloud_stream: { auth: role, stream_arn: "arn:aws:kinesis:eu-west-1:123456789012:stream/edge" } },
  { monitoring_vendor: { api_key: "secret" } },
];
const verifications: Json[] = [{ provider: "sns" }, { provider: "github", secret: "secret" }];

/** All objects, routes too, with their paths. */
async function everything(): Promise<Json[]> {
  const lists = await Promise.all(
    Object.entries(LISTS).map(async ([path, member]) => (await get(path)).body[member]),
  );
  return lists.flat().flatMap((object: Json) => [object, ...(object["routes"] ?? [])]);
}

const pathOf = ({ uri }: Json): string => new URL(uri).pathname;

/** The configuration, in which objects have the ids that their metadata names, without times and in a fixed order. */
async function configuration(): Promise<Json[]> {
  const objects = await everything();
  const first = new Map<string, string>(objects.map(({ id, metadata = "none" }) => [id, metadata]));
  const named = (id: string): string => first.get(id) ?? id;
  /** Ids are in these fields; with `areIds`, all strings and names of fields are ids. */
  const plain = (value: unknown, areIds = false): unknown => {
    if (areIds && typeof value === "string") return named(value);
    if (Array.isArray(value)) return value.map((item) => plain(item, areIds));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
        if (OTHERWISE.has(name)) return [];
        return [[areIds ? named(name) : name, plain(field, ["id", "edge_id", "backends"].includes(name))]];
      }),
    );
  };
  return objects
    .toSorted((a, b) => (named(a["id"]) < named(b["id"]) ? -1 : 1))
    .map((object) => JSON.parse(JSON.stringify(plain(object))));
}

/** Gives all objects texts: its own id as metadata, and the ids of others as descriptions and in headers. */
async function describe(numbers: number[]): Promise<void> {
  const objects = await everything();
  let used = 0;
  const text = (): string => objects[(numbers[used++ % numbers.length] ?? 0) % objects.length]?.["id"] ?? "";
  for (const object of objects) {
    const path = pathOf(object);
    const headers = { "x-id": text(), backend_id: text() };
    const { status, text: said } = await patch(path, {
      description: text(),
      metadata: object["id"],
      ...(path.includes("/routes/") && {
        request_headers: { add: { ...headers, ip_policy_ids: text() }, remove: [text()] },
        traffic_policy: { value: JSON.stringify({ ip_policy_ids: [text()] }) },
        user_agent_filter: { allow: [text()] },
      }),
      ...(path.includes("/http_response/") && { headers, body: text() }),
    });
    expect(status, said).toBe(200);
  }
}

const more = fc.record({
  what: fc.constantFrom(
    "same",
    "text",
    "rules",
    "remove",
    "remove",
    "target",
    "sources",
    "headers",
    "verify",
    "agents",
    "passing",
  ),
  n: fc.nat(50),
  m: fc.nat(2),
});
type More = typeof more extends fc.Arbitrary<infer M> ? M : never;

/** Operations on any of the objects. */
function operationsFor({ what, n, m }: More, objects: Json[]): Json[] {
  const among = (...kinds: string[]) => {
    const found = objects.filter((object) => kinds.some((kind) => object["id"].startsWith(`${kind}_`)));
    return found[n % Math.max(1, found.length)];
  };
  const [any, route, policy] = [objects[n % objects.length], among("edghtsrt"), among("ipp")];
  const [destination, subscription, issuer] = [among("ed"), among("esb"), among("ci")];
  const change = (object: Json | undefined, body: Json): Json[] =>
    object ? [toPatch(pathOf(object), body)] : [];
  const rules = ["10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32"].slice(m).map((cidr) => ({
    cidr,
    action: n % 2 === 0 ? "allow" : "deny",
    description: any?.["id"],
  }));
  const table: Record<More["what"], Json[]> = {
    same: change(any, { description: any?.["description"] }),
    text: change(any, { description: ["", policy?.["id"], "$restored_1"][m] }),
    rules: policy ? [toPut(`${pathOf(policy)}/rules`, { rules })] : [],
    remove: any ? [toDelete(pathOf(any))] : [],
    target: change(destination, { target: targets[m] }),
    sources: change(subscription, { sources: TYPES.slice(m).map((type) => ({ type })) }),
    headers: change(route, { request_headers: { add: { "x-id": any?.["id"] } }, response_headers: {} }),
    verify: route ? [toPut(`${pathOf(route)}/webhook_verification`, verifications[m % 2])] : [],
    agents: change(issuer, { agents: ["lisbon-1", "porto-1"].slice(m), contact: [] }),
    passing: [
      toPost("/ip_policies", {}, { name: `p${n}` }),
      toPost("/edges/tcp", { ip_restriction: { ip_policy_ids: [`$p${n}`] } }),
      ...(m === 0 ? [toDelete(`/ip_policies/$p${n}`)] : []),
    ],
  };
  return table[what];
}

/** Those operations that are accepted after the ones before them. */
async function accepted(all: Json[][]): Promise<Json[]> {
  const operations: Json[] = [];
  for (const some of all) {
    if (some.length === 0) continue;
    const { status } = await post("/transactions", { operations: [...operations, ...some], dry_run: true });
    if (status === 200) operations.push(...some);
  }
  return operations;
}

test("a request that is undone leaves the configuration as it was", async () => {
  let undone = 0;
  const reasons = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(fc.oneof(drawn, more), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(100), { minLength: 5, maxLength: 20 }),
      fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
      async (wanted, all, numbers, [target = 0, verification = 0] = []) => {
        await empty("events");
        const ids = await build(wanted);
        const edge_id = ids.edges
          .find((path) => path.includes("https"))
          ?.split("/")
          .at(-1);
        if (edge_id !== undefined)
          await given.route({
            edge_id,
            match: "/verified",
            ...(verification < 2 && { webhook_verification: verifications[verification] }),
          });
        await given.authority();
        await given.issuer({ contact: ["mailto:ops@example.com"] });
        const { id } = await given.destination({ target: targets[target] });
        await given.subscription({
          destination_ids: [id],
          sources: TYPES.slice(1).map((type) => ({ type })),
        });
        await describe(numbers);
        const before = await configuration();
        const objects = await everything();
        const operations = await accepted(
          all.map((one) => ("what" in one ? operationsFor(one, objects) : requested([one], ids))),
        );
        fc.pre(operations.length > 0);
        const changed = await post("/transactions", { operations });
        expect(changed.status, changed.text).toBe(200);
        const made = await undoing({ operation_id: operationOf(changed) });
        if (made.status !== 201) {
          expect([made.status, made.body["error_code"]], made.text).toEqual([409, "ERR_CANNOT_UNDO"]);
          const reason = /changed the secret|needs the secret|nothing to undo/i.exec(made.body["msg"])?.[0];
          // The log has no change if, for instance, a module that was not set is removed.
          const isNone = made.body["msg"].includes("has no changes");
          expect(reason ?? isNone, made.text).toBeTruthy();
          reasons.set(reason ?? "none", (reasons.get(reason ?? "none") ?? 0) + 1);
          if (isNone || reason === "nothing to undo") expect(await configuration()).toEqual(before);
          return;
        }
        const headers = { "If-Match": made.headers.get("ETag") ?? "" };
        const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, { headers });
        expect(applied.status, applied.text).toBe(200);
        expect(await configuration()).toEqual(before);
        undone++;
      },
    ),
    runs(60),
  );
  expect(undone, JSON.stringify([...reasons])).toBeGreaterThan(8);
}, 300_000);
