import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { ask } from "../../../packages/agent/src/admin_socket.ts";
import { networkKeys } from "../../../packages/agent/src/render/networks.ts";
import { render, renderRules } from "../../../packages/agent/src/render/render.ts";
import { drawn } from "../support/random.ts";
import { body } from "./agent.ts";
import { call, listening } from "./calls.ts";
import {
  certificate,
  folder,
  freePort,
  httpsEdge,
  serve,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";

const draw = drawn();

/*
 * The maps that hold what differs between edges: networks as keys, policies, and upstreams.
 */

/** The digits of a number as HAProxy's `hex` returns an address. */
const digitsOf = (value: bigint, bits: number) =>
  value
    .toString(16)
    .toUpperCase()
    .padStart(bits / 4, "0");

const textOf = (value: bigint, bits: number) =>
  bits === 32
    ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".")
    : (digitsOf(value, bits).match(/.{4}/g) ?? []).join(":").toLowerCase();

test("networks of every length are the addresses that begin with a key", () => {
  for (const bits of [32, 128]) {
    const all = (1n << BigInt(bits)) - 1n;
    for (let length = 0; length <= bits; length++) {
      for (let run = 0; run < 20; run++) {
        const random = BigInt(
          `0x${Array.from({ length: bits / 4 }, () => draw.below(16).toString(16)).join("")}`,
        );
        const host = BigInt(bits - length);
        const first = (random >> host) << host;
        const last = first + (1n << host) - 1n;
        const keys = networkKeys([`${textOf(first, bits)}/${length}`]);
        const isIn = (address: bigint) => {
          const text = `${bits === 32 ? 4 : 6}/${digitsOf(address, bits)}`;
          return keys.some((key) => text.startsWith(key));
        };
        assert.ok(keys.length <= 8);
        for (const inside of [first, last, random]) assert.ok(isIn(inside), `${keys.join()} ${inside}`);
        if (first > 0n) assert.ok(!isIn(first - 1n), keys.join());
        if (last < all) assert.ok(!isIn(last + 1n), keys.join());
      }
    }
  }
});

const upstream = (text: string) => createServer((_, response) => response.end(text));

test("an upstream that is down, or an entry without an address, concerns no other edge", async (t) => {
  const [tcp, other, port] = [await freePort(), await freePort(), await freePort()];
  const [to, nobody] = [await listening(t, upstream("right")), await freePort()];
  const { pem } = certificate(folder(t), ["x.example"]);
  const route = (path: string, backend_id: string) =>
    ({
      id: `edghtsrt_${path}`,
      match_type: "exact_path",
      match: `/${path}`,
      backend: { backend_id },
    }) as const;
  const { settings, arrangement } = await serve(
    t,
    {
      edges: [
        tcpEdge("edgtcp_1", [`127.0.0.1:${tcp}`], "bkdsc_up"),
        tcpEdge("edgtcp_2", [`127.0.0.1:${other}`], "bkdsc_down"),
        httpsEdge(
          "edghts_1",
          [`x.example:${port}`],
          [route("up", "bkdsc_up"), route("down", "bkdsc_down"), route("broken", "bkdsc_up")],
        ),
      ],
      backends: {
        bkdsc_up: { kind: "static", address: `127.0.0.1:${to}`, tls: false },
        bkdsc_down: { kind: "static", address: `127.0.0.1:${nobody}`, tls: false },
      },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  const get = async (path: string) => (await call(port, "x.example", path)).status;
  for (let round = 0; round < 2; round++) {
    assert.equal(await get("/down"), 503);
    assert.equal(await body(other), "");
    assert.equal(await get("/up"), 200);
    assert.equal(await body(tcp), "right");
  }
  const set = async (entry: string) => {
    const file = join(settings.directory, "routes/exact");
    const key = `${arrangement.names.tables.get("edghts_1")}/%2Fbroken`;
    const said = await ask(
      join(settings.sockets, "admin"),
      `set map ${file} ${key} edghtsrt_broken~${entry}`,
    );
    assert.equal(said.trim(), "");
    return get("/broken");
  };
  assert.equal(await set(`open~http_any~127.0.0.1~${to}~`), 200);
  for (const address of ["", "localhost", "127.0.0.x", "unix", "0"])
    assert.equal(await set(`open~http_any~${address}~${to}~`), 503, address);
  for (const bad of ["", "0", "65536", "-1", "x"])
    assert.equal(await set(`open~http_any~127.0.0.1~${bad}~`), 503, bad);
  assert.equal(await set(`open~no_such_section~127.0.0.1~${to}~`), 503);
  for (const restriction of ["", "nobody", "OPEN", "ipp_gone", "open|open"])
    assert.equal(await set(`${restriction}~http_any~127.0.0.1~${to}~`), 403, restriction);
});

test("if only rules change, only the maps of rules are rendered, with the result of rendering everything", () => {
  const names = ["ipp_1", "ipp_2", "ipp_3", "ipp_4", "ipp_5", "ipp_6"];
  const ranges = fc.uniqueArray(
    fc.constantFrom("10.0.0.0/8", "10.1.0.0/17", "192.0.2.1/32", "2001:db8::/33"),
  );
  const policies = fc.dictionary(fc.constantFrom(...names), fc.record({ allow: ranges, deny: ranges }));
  fc.assert(
    fc.property(
      fc.array(fc.subarray(names), { maxLength: 4 }),
      policies,
      policies,
      (restrictions, one, other) => {
        const edges = restrictions.map((ip_policy_ids, n) => ({
          ...tcpEdge(`edgtcp_${n}`, [`a.example:${1000 + n}`], "bkdsc_1"),
          ip_restriction: { ip_policy_ids },
        }));
        const backends = { bkdsc_1: { kind: "static", address: "192.0.2.1:80", tls: false } } as const;
        const before = snapshot({ edges, backends, ip_policies: one });
        const after = snapshot({ edges, backends, ip_policies: other });
        const rendered = render(before, settings());
        const { arrangement } = rendered;
        assert.deepEqual(renderRules(rendered, after, arrangement), render(after, settings(), arrangement));
      },
    ),
    { numRuns: 300 },
  );
});
