// With the default client of @hey-api/openapi-ts: creates, lists, and is rejected. Its URL is the server in the document.
import assert from "node:assert/strict";
import {
  httpResponseBackendsCreate,
  ipPoliciesCreate,
  ipPolicyRulesCreate,
  tlsEdgesCreate,
  tlsEdgesList,
} from "../generated/hey_api";
import { client } from "../generated/hey_api/client.gen";
import type { IsNever } from "./reachable";

client.setConfig({ auth: () => process.env["KEY"] });
const headers = { "Service-Version": "2" } as const;

const { data: policy } = await ipPoliciesCreate({ headers, body: { description: "Lisbon office" } });
const { data: backend } = await httpResponseBackendsCreate({ headers, body: { status_code: 503 } });
assert(policy && backend);

const { data: edge } = await tlsEdgesCreate({
  headers,
  body: {
    hostports: ["shop.example.com:443"],
    backend: { backend_id: backend.id },
    ip_restriction: { ip_policy_ids: [policy.id] },
    tls_termination: { min_version: "1.3" },
  },
});
assert.equal(edge?.backend?.enabled, true);
assert.equal(edge.tls_termination?.terminate_at, "edge");

const { data: page } = await tlsEdgesList({ headers, query: { limit: 1 } });
assert.equal(page?.tls_edges[0]?.id, edge.id);

const { error, response } = await ipPolicyRulesCreate({
  headers,
  body: { ip_policy_id: policy.id, cidr: "198.51.100.1/24", action: "allow" },
});
assert(error);
const isNever: IsNever<typeof error> = false;
assert(!isNever);
assert.equal(response?.status, 400);
assert.equal(error.error_code, "ERR_INVALID_REQUEST");
assert.equal(error.errors?.[0]?.path, "/cidr");
