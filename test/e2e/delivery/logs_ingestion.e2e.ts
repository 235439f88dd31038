import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clock } from "../../../packages/model/src/clock.ts";
import { logsIngestion } from "../../../src/delivery/logs_ingestion.ts";
import type { OutgoingEvent } from "../../../src/delivery/sender.ts";
import type { Answer } from "./receivers/http.ts";
import { type Azure, plainOf, startAzure } from "./receivers/logs_ingestion.ts";
import { batchesOf, contextOf, eventOf, eventOfBytes, eventsOf } from "./world.ts";

/*
 * Azure log ingestion against a receiver that issues and checks tokens, and has the documented limits.
 */

const SECRET = "secret-of-the-client";
let clients = 0;
/** A target with a new client, for which no token is cached. */
const newTarget = (
  changed: { tenant_id?: string; client_secret?: string; data_collection_stream_name?: string } = {},
) => ({
  tenant_id: "00000000-0000-0000-0000-000000000001",
  client_id: `client-${(clients += 1)}`,
  client_secret: SECRET,
  logs_ingestion_uri: "https://edge-1a2b.westeurope-1.ingest.monitor.azure.com",
  data_collection_rule_id: "dcr-0123",
  data_collection_stream_name: "Custom-Edge",
  ...changed,
});

let azure: Azure | undefined;
afterEach(async () => {
  await azure?.close();
  azure = undefined;
  clock.now = Date.now;
});

async function start(ingest?: () => Answer): Promise<Azure> {
  azure = await startAzure(SECRET, ingest);
  return azure;
}

const contextFor = ({ url }: Azure) => contextOf({ endpoints: { logs_ingestion: url, entra: url } });

const send = (to: Azure, target = newTarget(), events: OutgoingEvent[] = eventsOf(2)) =>
  logsIngestion.send(target, events, contextFor(to));

const taken = { again: [], rejected: [] };

test("events are sent as a list, compressed, with a token for the client", async () => {
  const service = await start();
  const target = newTarget();
  const events = eventsOf(3, "x".repeat(200));
  assert.deepEqual(await send(service, target, events), taken);
  const [token] = service.issued();
  assert.equal(token?.path, `/${target.tenant_id}/oauth2/v2.0/token`);
  assert.equal(token.headers["content-type"], "application/x-www-form-urlencoded");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(token.body.toString())), {
    client_id: target.client_id,
    client_secret: SECRET,
    grant_type: "client_credentials",
    scope: "https://monitor.azure.com//.default",
  });
  const [request] = service.ingested();
  assert.ok(request);
  assert.equal(request.path, "/dataCollectionRules/dcr-0123/streams/Custom-Edge?api-version=2023-01-01");
  assert.equal(request.headers["content-encoding"], "gzip");
  assert.match(String(request.headers["x-ms-client-request-id"]), /^[\da-f-]{36}$/);
  assert.deepEqual(
    JSON.parse(plainOf(request).toString()),
    events.map(({ envelope }) => envelope),
  );
});

for (const [suffix, scope] of [
  ["us", "https://monitor.azure.us//.default"],
  ["cn", "https://monitor.azure.cn//.default"],
])
  test(`an endpoint under .${suffix} has the scope of its cloud`, async () => {
    const service = await start();
    const logs_ingestion_uri = `https://edge.region-1.ingest.monitor.azure.${suffix}/`;
    await send(service, { ...newTarget(), logs_ingestion_uri });
    assert.equal(new URLSearchParams(service.issued()[0]?.body.toString()).get("scope"), scope);
  });

test("a token is cached until five minutes before it expires", async () => {
  const service = await start();
  const target = newTarget();
  const now = Date.now();
  clock.now = () => now;
  await send(service, target);
  clock.now = () => now + 3_299_000;
  await send(service, target);
  assert.equal(service.issued().length, 1);
  clock.now = () => now + 3_301_000;
  await send(service, target);
  assert.equal(service.issued().length, 2);
});

test("a token is shared by targets with the same tenant, client and secret", async () => {
  const service = await start();
  const target = newTarget();
  await send(service, target);
  const { failure } = await send(service, { ...target, client_secret: "guessed" });
  assert.equal(failure?.class, "configuration");
  await send(service, { ...target, tenant_id: "another" });
  assert.equal(service.issued().length, 3);
  assert.equal(service.ingested().length, 2);
});

test("a rejected token is replaced immediately, and the events are sent", async () => {
  const service = await start();
  const target = newTarget();
  await send(service, target);
  service.valid.clear();
  assert.deepEqual(await send(service, target), taken);
  assert.equal(service.issued().length, 2);
  assert.equal(service.ingested().length, 3);
});

test("a new token that is rejected is not cached, and not retried", async () => {
  const service = await start();
  const target = newTarget();
  service.valid.add = () => service.valid;
  const { failure } = await send(service, target);
  assert.equal(`${failure?.class} ${failure?.error.code}`, "configuration http_401");
  assert.equal(service.issued().length, 1);
  await send(service, target);
  assert.equal(service.issued().length, 2);
});

test("a rejected client needs human action, and the response is not quoted", async () => {
  const service = await start();
  const { failure } = await send(service, newTarget({ client_secret: "wrong" }));
  assert.equal(`${failure?.class} ${failure?.error.code}`, "configuration token_refused");
  assert.doesNotMatch(JSON.stringify(failure), new RegExp(SECRET));
  assert.equal(service.ingested().length, 0);
});

test("no request within the limits is too large, compressed or not", async () => {
  const service = await start();
  const target = newTarget();
  const limits = logsIngestion.limits(target);
  const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(30_000))).toString("base64");
  for (const events of [
    eventsOf(8_000),
    Array.from({ length: 40 }, (_, i) => eventOfBytes(i, limits.largest)),
    Array.from({ length: 50 }, (_, i) => eventOf(i, noise())),
  ])
    for (const batch of batchesOf(events, limits))
      assert.deepEqual(await send(service, target, batch), taken);
  const most = Math.max(...service.ingested().map((request) => plainOf(request).byteLength));
  assert.ok(most > 900_000 && most <= 1_000_000, `${most}`);
});

test("no event is so long that one of its fields would be truncated", () => {
  assert.ok(logsIngestion.limits(newTarget()).largest <= 65_536);
});

const outcomes: [answer: Answer, outcome: string, retryAfter?: number][] = [
  [{ status: 204 }, "taken"],
  [{ status: 400, body: '{"error":{"code":"InvalidStream"}}' }, "configuration http_400"],
  [{ status: 403 }, "configuration http_403"],
  [{ status: 404 }, "configuration http_404"],
  [{ status: 413 }, "batch http_413"],
  [{ status: 429, headers: { "Retry-After": "60" } }, "retry http_429", 60_000],
  [{ status: 500 }, "retry http_500"],
  [{ status: 308, headers: { Location: "/" } }, "configuration http_308"],
  ["reset", "retry network"],
  ["hang", "retry timeout"],
];

for (const [answer, outcome, retryAfter] of outcomes)
  test(`${JSON.stringify(answer)}: ${outcome}`, async () => {
    const service = await start(() => answer);
    const { failure } = await send(service);
    assert.equal(failure ? `${failure.class} ${failure.error.code}` : "taken", outcome);
    assert.equal(failure?.retryAfter, retryAfter);
    assert.equal(service.ingested().length, 1);
  });

test("names are percent-encoded in the path, and . and .. are rejected", async () => {
  const service = await start();
  await send(service, newTarget({ data_collection_stream_name: "a/../b?c#d%2e" }));
  assert.equal(
    service.ingested()[0]?.path,
    "/dataCollectionRules/dcr-0123/streams/a%2F..%2Fb%3Fc%23d%252e?api-version=2023-01-01",
  );
  const { length } = service.requests;
  for (const target of [newTarget({ tenant_id: ".." }), newTarget({ data_collection_stream_name: "." })]) {
    const { failure } = await send(service, target);
    assert.equal(`${failure?.class} ${failure?.error.code}`, "configuration refused_url");
  }
  assert.equal(service.requests.length, length);
});
