import { beforeAll, expect, test } from "vitest";
import { call, create, routes } from "./support/api.ts";
import type { Json } from "./support/json.ts";

/*
 * Who can call each operation. Written by hand rather than read from the operations, so that a role is not changed by
 * accident.
 */

const ALLOWED: Record<string, string> = {
  "GET /health": "public",
  "GET /openapi.json": "public",
  "GET /auth/methods": "public",
  "POST /auth/key": "public",
  "DELETE /auth/session": "any",
  // People only, and each their own: test/people.test.ts.
  "POST /users/me/keys": "any",
  "GET /users/me/keys": "any",
  "GET /users/me/keys/:id": "any",
  "DELETE /users/me/keys/:id": "any",
  "GET /api_restriction": "admin",
  "PUT /api_restriction": "admin",
  "DELETE /api_restriction": "admin",
  "GET /users": "admin",
  "GET /users/:id": "admin",
  "PATCH /users/:id": "admin",
  "DELETE /users/:id": "admin",
  "DELETE /users/:id/sessions": "admin",
  "POST /transactions": "editor",
  "POST /plans": "planner",
  "POST /previews": "planner",
  "GET /plans": "planner",
  "GET /plans/:id": "planner",
  "POST /plans/:id/refresh": "planner",
  "POST /plans/:id/apply": "editor",
  "DELETE /plans/:id": "planner",
  "GET /whoami": "any",
  "GET /metrics": "viewer or metrics",
  "GET /snapshot": "viewer or agent",
  "GET /snapshot/changes": "viewer or agent",
  "GET /problems": "viewer",
  "GET /serving": "viewer",
  "GET /access": "viewer",
  "POST /traffic_policies/check": "viewer",
  "POST /simulations": "viewer",
  "PUT /agents/:name/status": "agent",
  "GET /agents": "viewer",
  "GET /agents/:name": "viewer",
  "DELETE /agents/:name": "admin",
  "PUT /agents/:name/certificate_requests/:host": "agent",
  "PUT /agents/:name/traffic": "agent",
  "GET /traffic": "viewer",
  "GET /traffic/summary": "viewer",
  "GET /traffic/servers": "viewer",
  "GET /certificates": "viewer",
  "POST /certificates/:host/renew": "editor",
  "GET /issuing": "agent",
  "POST /sealed_secrets/reseal": "admin",
  ...forEach(
    [
      ...under("/edges", "tcp tls https https/:edge_id/routes"),
      ...under("/backends", "failover http_response weighted static"),
      ...under(
        "",
        "ip_policies ip_policy_rules certificate_authorities event_destinations event_subscriptions",
      ),
    ],
    {
      "POST ": "editor",
      "GET ": "viewer",
      "GET /:id": "viewer",
      "PATCH /:id": "editor",
      "DELETE /:id": "editor",
    },
  ),
  ...forEach(["/certificate_issuers"], {
    "POST ": "admin",
    "GET ": "viewer",
    "GET /:id": "viewer",
    "PATCH /:id": "admin",
    "DELETE /:id": "admin",
  }),
  ...forEach(["/event_subscriptions/:subscription_id/sources"], {
    "POST ": "editor",
    "GET ": "viewer",
    "GET /:type": "viewer",
    "PATCH /:type": "editor",
    "DELETE /:type": "editor",
  }),
  ...forEach(["/event_destinations/:id"], {
    "GET /delivery": "viewer",
    "POST /test": "editor",
    "POST /replay": "editor",
    "POST /resume": "editor",
    "GET /dead_letters": "viewer",
  }),
  "GET /event_types": "viewer",
  ...forEach(["/events"], { "GET ": "viewer", "GET /:id": "viewer" }),
  ...forEach(["/bot_users"], {
    "POST ": "admin",
    "GET ": "viewer",
    "GET /:id": "viewer",
    "PATCH /:id": "admin",
    "DELETE /:id": "admin",
    // Its responses name API keys.
    "GET /:id/used_by": "admin",
  }),
  ...forEach(
    [
      ...under("/backends", "failover http_response weighted static"),
      ...under("", "ip_policies certificate_authorities event_destinations"),
    ],
    { "GET /:id/used_by": "viewer" },
  ),
  "GET /ip_policies/:id/rules": "viewer",
  "PUT /ip_policies/:id/rules": "editor",
  ...forEach(["/ip_policies", ...under("/edges", "tcp tls https/:edge_id/routes")], {
    "GET /:id/access": "viewer",
  }),
  ...forEach(["/api_keys"], {
    "POST ": "admin",
    "GET ": "admin",
    "GET /:id": "admin",
    "PATCH /:id": "admin",
    "DELETE /:id": "admin",
  }),
  ...forEach(
    [
      ...under("/edges/tcp/:id", "backend ip_restriction traffic_policy"),
      ...under("/edges/tls/:id", "backend ip_restriction mutual_tls tls_termination traffic_policy"),
      ...under("/edges/https/:id", "mutual_tls tls_termination"),
      ...under("/edges/https/:edge_id/routes/:id", "backend circuit_breaker compression ip_restriction"),
      ...under("/edges/https/:edge_id/routes/:id", "request_headers response_headers traffic_policy"),
      ...under("/edges/https/:edge_id/routes/:id", "user_agent_filter webhook_verification"),
      "/edges/https/:edge_id/routes/:id/websocket_tcp_converter",
    ],
    { "PUT ": "editor", "GET ": "viewer", "DELETE ": "editor" },
  ),
};

function under(path: string, names: string): string[] {
  return names.split(" ").map((name) => `${path}/${name}`);
}

/** The operations of several paths: `{ "GET /:id": role }` of `/a` is `GET /a/:id`. */
function forEach(paths: string[], operations: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path) =>
      Object.entries(operations).map(([operation, role]) => [operation.replace(" ", ` ${path}`), role]),
    ),
  );
}

const ROLES = ["viewer", "planner", "editor", "admin", "agent", "metrics"];

/** The roles that can call an operation for `needed`. */
const mayCall: Record<string, string[]> = {
  viewer: ["viewer", "planner", "editor", "admin"],
  planner: ["planner", "editor", "admin"],
  "viewer or agent": ["viewer", "planner", "editor", "admin", "agent"],
  editor: ["editor", "admin"],
  admin: ["admin"],
  agent: ["agent", "admin"],
  "viewer or metrics": ["viewer", "planner", "editor", "admin", "metrics"],
  any: ROLES,
};
const tokens: Json = {};

beforeAll(async () => {
  for (const role of ROLES) tokens[role] = (await create("/api_keys", { role }))["token"];
});

test("ALLOWED lists every operation", () => {
  const served = routes.map(({ method, path }) => `${method} ${path}`);
  const unlisted = served.filter((operation) => !(operation in ALLOWED));
  expect(unlisted, "add these to ALLOWED, above").toEqual([]);
  expect(served.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

test.each(
  routes
    .filter(({ operation }) => operation.access !== "public")
    .flatMap((route) => ROLES.map((role) => ({ role, method: route.method, path: route.path }))),
)("$role: $method $path", async ({ role, method, path }) => {
  // An unknown id and an invalid body: a caller who passes the role check is rejected for these.
  const url = path.replace(":edge_id", "edghts_nobody").replace(/:\w+/, "nobody");
  const body = /POST|PUT|PATCH/.test(method) ? { nonsense: 1 } : undefined;
  const { status, body: answer } = await call(method, url, body, { token: tokens[role] });
  const allowed = mayCall[ALLOWED[`${method} ${path}`] ?? ""];
  // A key is no person, and has no session.
  const isForPeople = /^\/(?:users\/me|auth\/session)/.test(path);
  if (isForPeople) expect([400, 401, 403, 404]).toContain(status);
  else if (allowed?.includes(role)) expect([200, 204, 400, 404]).toContain(status);
  else expect([status, answer["error_code"]]).toEqual([403, "ERR_FORBIDDEN"]);
});
