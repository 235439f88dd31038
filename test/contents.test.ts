import { expect, test } from "vitest";
import { app } from "../src/app.ts";
import { operationOf } from "../src/http/route.ts";
import { routes } from "./support/api.ts";
import { collections } from "./support/examples.ts";

const CONTENTS = `
GET /
GET /health
GET /openapi.json
POST /ip_policies
GET /ip_policies
GET /ip_policies/:id
PATCH /ip_policies/:id
DELETE /ip_policies/:id
GET /ip_policies/:id/access
GET /ip_policies/:id/used_by
PUT /ip_policies/:id/rules
POST /ip_policy_rules
GET /ip_policy_rules
GET /ip_policy_rules/:id
PATCH /ip_policy_rules/:id
DELETE /ip_policy_rules/:id
POST /backends/http_response
GET /backends/http_response
GET /backends/http_response/:id
PATCH /backends/http_response/:id
DELETE /backends/http_response/:id
GET /backends/http_response/:id/used_by
POST /backends/static
GET /backends/static
GET /backends/static/:id
PATCH /backends/static/:id
DELETE /backends/static/:id
GET /backends/static/:id/used_by
POST /backends/weighted
GET /backends/weighted
GET /backends/weighted/:id
PATCH /backends/weighted/:id
DELETE /backends/weighted/:id
GET /backends/weighted/:id/used_by
POST /backends/failover
GET /backends/failover
GET /backends/failover/:id
PATCH /backends/failover/:id
DELETE /backends/failover/:id
GET /backends/failover/:id/used_by
POST /certificate_authorities
GET /certificate_authorities
GET /certificate_authorities/:id
PATCH /certificate_authorities/:id
DELETE /certificate_authorities/:id
GET /certificate_authorities/:id/used_by
POST /edges/tcp
GET /edges/tcp
GET /edges/tcp/:id
PATCH /edges/tcp/:id
DELETE /edges/tcp/:id
GET /edges/tcp/:id/access
PUT /edges/tcp/:id/backend
GET /edges/tcp/:id/backend
DELETE /edges/tcp/:id/backend
PUT /edges/tcp/:id/ip_restriction
GET /edges/tcp/:id/ip_restriction
DELETE /edges/tcp/:id/ip_restriction
PUT /edges/tcp/:id/traffic_policy
GET /edges/tcp/:id/traffic_policy
DELETE /edges/tcp/:id/traffic_policy
POST /edges/tls
GET /edges/tls
GET /edges/tls/:id
PATCH /edges/tls/:id
DELETE /edges/tls/:id
GET /edges/tls/:id/access
PUT /edges/tls/:id/backend
GET /edges/tls/:id/backend
DELETE /edges/tls/:id/backend
PUT /edges/tls/:id/ip_restriction
GET /edges/tls/:id/ip_restriction
DELETE /edges/tls/:id/ip_restriction
PUT /edges/tls/:id/mutual_tls
GET /edges/tls/:id/mutual_tls
DELETE /edges/tls/:id/mutual_tls
PUT /edges/tls/:id/tls_termination
GET /edges/tls/:id/tls_termination
DELETE /edges/tls/:id/tls_termination
PUT /edges/tls/:id/traffic_policy
GET /edges/tls/:id/traffic_policy
DELETE /edges/tls/:id/traffic_policy
POST /edges/https
GET /edges/https
GET /edges/https/:id
PATCH /edges/https/:id
DELETE /edges/https/:id
PUT /edges/https/:id/mutual_tls
GET /edges/https/:id/mutual_tls
DELETE /edges/https/:id/mutual_tls
PUT /edges/https/:id/tls_termination
GET /edges/https/:id/tls_termination
DELETE /edges/https/:id/tls_termination
POST /edges/https/:edge_id/routes
GET /edges/https/:edge_id/routes
GET /edges/https/:edge_id/routes/:id
PATCH /edges/https/:edge_id/routes/:id
DELETE /edges/https/:edge_id/routes/:id
GET /edges/https/:edge_id/routes/:id/access
PUT /edges/https/:edge_id/routes/:id/backend
GET /edges/https/:edge_id/routes/:id/backend
DELETE /edges/https/:edge_id/routes/:id/backend
PUT /edges/https/:edge_id/routes/:id/circuit_breaker
GET /edges/https/:edge_id/routes/:id/circuit_breaker
DELETE /edges/https/:edge_id/routes/:id/circuit_breaker
PUT /edges/https/:edge_id/routes/:id/compression
GET /edges/https/:edge_id/routes/:id/compression
DELETE /edges/https/:edge_id/routes/:id/compression
PUT /edges/https/:edge_id/routes/:id/ip_restriction
GET /edges/https/:edge_id/routes/:id/ip_restriction
DELETE /edges/https/:edge_id/routes/:id/ip_restriction
PUT /edges/https/:edge_id/routes/:id/request_headers
GET /edges/https/:edge_id/routes/:id/request_headers
DELETE /edges/https/:edge_id/routes/:id/request_headers
PUT /edges/https/:edge_id/routes/:id/response_headers
GET /edges/https/:edge_id/routes/:id/response_headers
DELETE /edges/https/:edge_id/routes/:id/response_headers
PUT /edges/https/:edge_id/routes/:id/traffic_policy
GET /edges/https/:edge_id/routes/:id/traffic_policy
DELETE /edges/https/:edge_id/routes/:id/traffic_policy
PUT /edges/https/:edge_id/routes/:id/user_agent_filter
GET /edges/https/:edge_id/routes/:id/user_agent_filter
DELETE /edges/https/:edge_id/routes/:id/user_agent_filter
PUT /edges/https/:edge_id/routes/:id/webhook_verification
GET /edges/https/:edge_id/routes/:id/webhook_verification
DELETE /edges/https/:edge_id/routes/:id/webhook_verification
PUT /edges/https/:edge_id/routes/:id/websocket_tcp_converter
GET /edges/https/:edge_id/routes/:id/websocket_tcp_converter
DELETE /edges/https/:edge_id/routes/:id/websocket_tcp_converter
POST /event_destinations
GET /event_destinations
GET /event_destinations/:id
PATCH /event_destinations/:id
DELETE /event_destinations/:id
GET /event_destinations/:id/used_by
GET /event_destinations/:id/delivery
POST /event_destinations/:id/test
POST /event_destinations/:id/replay
POST /event_destinations/:id/resume
GET /event_destinations/:id/dead_letters
POST /event_subscriptions
GET /event_subscriptions
GET /event_subscriptions/:id
PATCH /event_subscriptions/:id
DELETE /event_subscriptions/:id
POST /event_subscriptions/:subscription_id/sources
GET /event_subscriptions/:subscription_id/sources
GET /event_subscriptions/:subscription_id/sources/:type
PATCH /event_subscriptions/:subscription_id/sources/:type
DELETE /event_subscriptions/:subscription_id/sources/:type
GET /event_types
GET /events
GET /events/:id
POST /bot_users
GET /bot_users
GET /bot_users/:id
PATCH /bot_users/:id
DELETE /bot_users/:id
GET /bot_users/:id/used_by
POST /api_keys
GET /api_keys
GET /api_keys/:id
PATCH /api_keys/:id
DELETE /api_keys/:id
POST /transactions
GET /snapshot
GET /problems
POST /traffic_policies/check
POST /simulations
PUT /agents/:name/status
GET /agents
GET /agents/:name
DELETE /agents/:name
POST /sealed_secrets/reseal
`.trim();

test("the routes are those listed above", () => {
  const contents = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(contents)].join("\n"), "update CONTENTS, above").toBe(CONTENTS);
});

test("every route except the redirect of / starts with its operation", () => {
  const first = new Map<string, object>();
  for (const { method, path, handler } of app.routes)
    if (method !== "ALL" && !first.has(`${method} ${path}`)) first.set(`${method} ${path}`, handler);
  const undeclared = [...first].filter(([, handler]) => !operationOf(handler)).map(([route]) => route);
  expect(undeclared).toEqual(["GET /"]);
});

const seeds = Object.values(
  import.meta.glob<string>("../scripts/seed*.ts", { query: "?raw", import: "default", eager: true }),
).join("\n");

const paths = collections.map(({ path }) => path);

/** Lists that the service itself writes. */
const LOGS = ["/events", "/event_destinations/:id/dead_letters", "/problems", "/agents", "/snapshot"];

test("every list belongs to a collection, except those that the service writes", () => {
  const listed = routes
    .filter(
      ({ method, path, operation }) =>
        method === "GET" && operation.query && !/\/(?:used_by|access)$/.test(path),
    )
    .map(({ path }) => path);
  expect(listed.toSorted(), "collectionsOf() in test/support/document.ts finds only such lists").toEqual(
    [...paths, "/edges/https/:edge_id/routes", ...LOGS].toSorted(),
  );
});

test("every collection has example data in scripts/seed.ts", () => {
  // A key's token is shown only once, in the response that creates the key.
  const missing = paths.filter((path) => path !== "/api_keys" && !seeds.includes(`"${path}"`));
  expect(missing, "add these to scripts/seed.ts").toEqual([]);
});

test("operation ids are unique", () => {
  const ids = routes.map(({ operation }) => operation.id);
  expect(ids).toEqual([...new Set(ids)]);
});
