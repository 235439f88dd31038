// With orval's client for fetch: creates, lists, and is rejected. Its URL is the server in the document.
import assert from "node:assert/strict";
import {
  httpResponseBackendsCreate,
  ipPoliciesCreate,
  ipPolicyRulesCreate,
  tlsEdgesCreate,
  tlsEdgesList,
} from "../generated/orval";
import type { IsNever } from "./reachable";

const headers = { Authorization: `Bearer ${process.env["KEY"]}`, "Service-Version": "2" };

const policy = await ipPoliciesCreate({ description: "Lisbon office" }, { headers });
const backend = await httpResponseBackendsCreate({ status_code: 503 }, { headers });
assert(policy.status === 201 && backend.status === 201);

const edge = await tlsEdgesCreate(
  {
    hostports: ["shop.example.com:443"],
    backend: { backend_id: backend.data.id },
    ip_restriction: { ip_policy_ids: [policy.data.id] },
    tls_termination: { min_version: "1.3" },
  },
  { headers },
);
assert(edge.status === 201);
assert.equal(edge.data.backend?.enabled, true);
assert.equal(edge.data.tls_termination?.terminate_at, "edge");

const page = await tlsEdgesList({ limit: 1 }, { headers });
assert(page.status === 200);
assert.equal(page.data.tls_edges[0]?.id, edge.data.id);

const rejected = await ipPolicyRulesCreate(
  { ip_policy_id: policy.data.id, cidr: "198.51.100.1/24", action: "allow" },
  { headers },
);
assert(rejected.status === 400);
const isNever: IsNever<typeof rejected.data> = false;
assert(!isNever);
assert.equal(rejected.data.error_code, "ERR_INVALID_REQUEST");
assert.equal(rejected.data.errors?.[0]?.path, "/cidr");
