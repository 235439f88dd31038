// A receiver of webhooks with the types of openapi-typescript and the official library of Standard Webhooks: it verifies an event,
// and reads its fields.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";
import type { paths, webhooks } from "../generated/openapi_typescript";

type Event = webhooks["event"]["post"]["requestBody"]["content"]["application/json"];

const { API = "", KEY = "", RECEIVER_PORT = "" } = process.env;
const api = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${KEY}` } });
const params = { header: { "Service-Version": "2" } } as const;

let secret = "";
const events: Event[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  events.push(new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as Event);
  response.writeHead(204).end();
}).listen(Number(RECEIVER_PORT), "127.0.0.1");
await once(server, "listening");

const { data: destination } = await api.POST("/event_destinations", {
  params,
  body: { target: { webhook: { url: "https://hooks.example.com/edge" } } },
});
assert(destination);
secret = destination.target.webhook?.secret ?? "";
await api.POST("/event_subscriptions", {
  params,
  body: { destination_ids: [destination.id], sources: [{ type: "ip_policy_created.v0" }] },
});
const { data: outcome } = await api.POST("/event_destinations/{id}/test", {
  params: { ...params, path: { id: destination.id } },
  body: {},
});
assert(outcome);
const { data: policy } = await api.POST("/ip_policies", { params, body: { description: "Lisbon office" } });
assert(policy);
const until = Date.now() + 10_000;
while (events.length < 2 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));

const [tested, created] = events;
assert.equal(tested?.event_type, "test.v0");
switch (created?.event_type) {
  case "ip_policy_created.v0":
    assert.equal(created.object.id, policy.id);
    assert.equal(created.principal?.id, "root");
    break;
  default:
    assert.fail(`received ${created?.event_type}`);
}
// The destination would call a receiver that has ended.
await api.DELETE("/event_destinations/{id}", { params: { ...params, path: { id: destination.id } } });
server.close();
server.closeAllConnections();
