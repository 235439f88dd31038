import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import type { Answer } from "./clients.ts";
import { startUpstream } from "./upstreams.ts";
import { sharedWorld, type World } from "./world.ts";

/*
 * IP restrictions, tested with clients that have different addresses. Each test of a rejected client also tests an allowed one.
 */

const OFFICE = "127.0.0.1";
const DENIED = "127.0.0.5";
const VPN = "127.0.0.65";
const GUEST = "127.0.0.200";
const STRANGER = "127.0.0.130";

describe("an IP restriction", () => {
  let world: World;
  /** Requests to the four kinds of objects that can have an IP restriction, by kind. */
  const subjects = new Map<string, (from: string, headers?: string[]) => Promise<Answer>>();
  let outside: (from: string) => Promise<Answer>;
  const policies: Record<"office" | "vpn" | "guests", string> = { office: "", vpn: "", guests: "" };

  before(async () => {
    world = await sharedWorld();
    const { given, get } = world;
    policies.office = (await given.policy()).id;
    policies.vpn = (await given.policy()).id;
    policies.guests = (await given.policy()).id;
    await given.rule(policies.office, "allow", "127.0.0.0/28");
    await given.rule(policies.office, "deny", `${DENIED}/32`);
    await given.rule(policies.vpn, "allow", "127.0.0.64/26");
    // Another policy allows the sources that the first one denies: the denial takes precedence.
    await given.rule(policies.vpn, "allow", `${DENIED}/32`);
    await given.rule(policies.guests, "allow", `${GUEST}/32`);
    const ip_restriction = { ip_policy_ids: Object.values(policies) };

    const http = await startUpstream("restricted");
    const backend = { backend_id: (await given.staticBackend(http.address)).id };
    const https = await startUpstream(
      "restricted-tls",
      world.make.server(world.authority, ["passed.restricted.test"]),
    );
    const httpsBackend = { backend_id: (await given.staticBackend(https.address)).id };

    const tcpPort = await freePort();
    await given.tcpEdge({ hostports: [`127.0.0.1:${tcpPort}`], backend, ip_restriction });
    subjects.set("a TCP edge", (from, headers = []) =>
      get(`http://127.0.0.1:${tcpPort}/`, { from, headers }),
    );

    const port = await freePort();
    await given.tlsEdge({
      hostports: [`passed.restricted.test:${port}`],
      backend: httpsBackend,
      tls_termination: { terminate_at: "upstream" },
      ip_restriction,
    });
    subjects.set("a TLS edge that passes through", (from, headers = []) =>
      get(`https://passed.restricted.test:${port}/`, { from, headers }),
    );

    world.certificateFor("ended.restricted.test");
    await given.tlsEdge({
      hostports: [`ended.restricted.test:${port}`],
      backend,
      tls_termination: { terminate_at: "edge" },
      ip_restriction,
    });
    subjects.set("a TLS edge that terminates", (from, headers = []) =>
      get(`https://ended.restricted.test:${port}/`, { from, headers }),
    );

    world.certificateFor("route.restricted.test");
    const edge = await given.httpsEdge({ hostports: [`route.restricted.test:${port}`] });
    await given.route(edge.id, { match: "/inside", backend, ip_restriction });
    await given.route(edge.id, { match: "/", backend });
    subjects.set("a route", (from, headers = []) =>
      get(`https://route.restricted.test:${port}/inside`, { from, headers }),
    );
    outside = (from) => get(`https://route.restricted.test:${port}/`, { from });
    await world.applied();
  });

  /** Asserts for every subject which clients are allowed and which are rejected. */
  const assertAccess = (allowed: string[], rejected: string[]): Promise<void> =>
    eventually(async () => {
      for (const [subject, request] of subjects) {
        for (const from of allowed) {
          const { status, upstream, said } = await request(from);
          assert.ok(status === 200 && upstream, `${subject} lets ${from} in: ${status} ${said}`);
        }
        for (const from of rejected) {
          const { status, upstream, exit } = await request(from);
          assert.equal(upstream, undefined, `${subject} keeps ${from} out`);
          // Only a route can send a response.
          assert.equal(status, subject === "a route" ? 403 : 0, `${subject} and ${from}`);
          assert.ok(subject === "a route" || exit !== 0, `${subject} and ${from}`);
        }
      }
    });

  test("allows sources that a rule of any policy allows and no rule denies", async () => {
    await assertAccess([OFFICE, VPN, GUEST], [DENIED, STRANGER]);
  });

  test("uses the source of the connection, and ignores headers", async () => {
    const [forwarded, forged] = [`X-Forwarded-For: ${OFFICE}`, `Forwarded: for=${OFFICE}`];
    for (const [subject, request] of subjects) {
      assert.equal((await request(STRANGER, [forwarded, forged])).upstream, undefined, subject);
      assert.ok((await request(OFFICE, [`X-Forwarded-For: ${STRANGER}`])).upstream, subject);
    }
  });

  test("of a route does not affect other routes", async () => {
    assert.equal((await outside(STRANGER)).status, 200);
  });

  test("treats a deleted policy as a policy without rules", async () => {
    await world.service.api.DELETE("/ip_policies/{id}", { params: { path: { id: policies.office } } });
    await world.applied();
    // Its deny rules are gone too.
    await assertAccess([VPN, DENIED], [OFFICE, STRANGER]);
    await world.service.api.DELETE("/ip_policies/{id}", { params: { path: { id: policies.vpn } } });
    await world.applied();
    await assertAccess([], [VPN, DENIED, OFFICE, STRANGER]);
    // With a rule, they are allowed again.
    await world.given.rule(policies.guests, "allow", `${GUEST}/32`);
    await world.applied();
    await assertAccess([GUEST], [VPN]);
  });
});
