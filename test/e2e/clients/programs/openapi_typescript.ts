// With the types of openapi-typescript (default flags) and openapi-fetch: creates, lists, and is rejected.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi_typescript";
import type { IsNever } from "./reachable";

const { API = "", KEY = "" } = process.env;
const api = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${KEY}` } });
const params = { header: { "Service-Version": "2" } } as const;

const { data: policy } = await api.POST("/ip_policies", { params, body: { description: "Lisbon office" } });
const { data: backend } = await api.POST("/backends/http_response", { params, body: { status_code: 503 } });
assert(policy && backend);

// An edge without optional fields.
const { data: edge } = await api.POST("/edges/tls", {
  params,
  body: {
    hostports: ["shop.example.com:443"],
    backend: { backend_id: backend.id },
    ip_restriction: { ip_policy_ids: [policy.id] },
    tls_termination: { min_version: "1.3" },
  },
});
assert.equal(edge?.backend?.enabled, true);
assert.equal(edge.tls_termination?.terminate_at, "edge");

const { data: page } = await api.GET("/edges/tls", { params: { ...params, query: { limit: 1 } } });
assert.equal(page?.tls_edges[0]?.id, edge.id);

const { error, response } = await api.POST("/ip_policy_rules", {
  params,
  body: { ip_policy_id: policy.id, cidr: "198.51.100.1/24", action: "allow" },
});
assert(error);
const isNever: IsNever<typeof error> = false;
assert(!isNever);
assert.equal(response.status, 400);
assert.equal(error.error_code, "ERR_INVALID_REQUEST");
assert.equal(error.errors?.[0]?.path, "/cidr");
