import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Edge, Policy } from "../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../support/random.ts";
import { statusesFrom } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "./proxy.ts";

/*
 * Restrictions in a running HAProxy against the definition, which compares numbers: every prefix length of both families, and more
 * policies than are looked up one by one. Sources are given by the PROXY protocol, on the internal socket of the HTTPS listener.
 */

interface Address {
  bits: 32 | 128;
  value: bigint;
}

const textOf = ({ bits, value }: Address): string => {
  const digits = value.toString(16).padStart(bits / 4, "0");
  const parts = digits.match(bits === 32 ? /../g : /.{4}/g) ?? [];
  return bits === 32 ? parts.map((part) => parseInt(part, 16)).join(".") : parts.join(":");
};

interface Network extends Address {
  length: number;
}

const networkOf = ({ bits, value }: Address, length: number): Network => {
  const rest = BigInt(bits - length);
  return { bits, length, value: (value >> rest) << rest };
};
const cidrOf = (network: Network): string => `${textOf(network)}/${network.length}`;
const isIn = (address: Address, { bits, length, value }: Network): boolean =>
  address.bits === bits && address.value >> BigInt(bits - length) === value >> BigInt(bits - length);

interface Rules {
  allow: Network[];
  deny: Network[];
}

/** The definition: a rule of any policy allows the source, and no rule of any policy denies it. */
const isLetIn = (source: Address, policies: readonly Rules[]): boolean =>
  policies.some(({ allow }) => allow.some((network) => isIn(source, network))) &&
  !policies.some(({ deny }) => deny.some((network) => isIn(source, network)));

/** Serves a route for each list of policies. Resolves to a function that asks all of them from a source. */
async function served(t: Parameters<typeof serve>[0], policies: Rules[], routes: number[][]) {
  const port = await freePort();
  const { pem } = certificate(folder(t), ["x.example"]);
  const edge: Edge = httpsEdge(
    "edghts_1",
    [`x.example:${port}`],
    routes.map((indices, index) => ({
      id: `edghtsrt_${index}`,
      match_type: "exact_path",
      match: `/${index}`,
      backend: { backend_id: "bkdhr_1" },
      ip_restriction: { ip_policy_ids: indices.map((policy) => `ipp_${policy}`) },
    })),
  );
  const ip_policies: Record<string, Policy> = Object.fromEntries(
    policies.map(({ allow, deny }, index) => [
      `ipp_${index}`,
      { allow: allow.map(cidrOf), deny: deny.map(cidrOf) },
    ]),
  );
  const { settings, problems } = await serve(
    t,
    {
      edges: [edge],
      ip_policies,
      backends: { bkdhr_1: { kind: "http_response", status_code: 200, headers: {}, body: "" } },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  assert.deepEqual(problems, []);
  const socket = join(settings.sockets, `https_${port}`);
  const paths = routes.map((_, index) => `/${index}`);
  const ask = async (source: string): Promise<boolean[]> => {
    const statuses = await statusesFrom(source, socket, "x.example", paths);
    return statuses.map((status) => {
      assert.ok(status === 200 || status === 403, `${status}`);
      return status === 200;
    });
  };
  return async (source: Address): Promise<boolean[]> => {
    const text = textOf(source);
    const found = await ask(text);
    // IPv4 in IPv6 form counts as IPv4.
    if (source.bits === 32) assert.deepEqual(await ask(`::ffff:${text}`), found, text);
    return found;
  };
}

const draw = drawn();

const random = (bits: 32 | 128): Address => ({
  bits,
  value: BigInt(`0x${Array.from({ length: bits / 4 }, () => draw.below(16).toString(16)).join("")}`),
});

test("a network of any length lets in, or keeps out, the sources that differ in later bits only", async (t) => {
  // Not all digits are random: 1 and F have the fewest and the most bits.
  const bases: Address[] = [
    { bits: 32, value: 0xc1f01f7en },
    { bits: 128, value: 0x2001_0db8_1f1f_f1f1_7e81_0f0f_f00f_1234n },
  ];
  const lists = bases.flatMap((base) =>
    Array.from({ length: base.bits + 1 }, (_, length): Rules[] => [
      { allow: [networkOf(base, length)], deny: [] },
      { allow: [networkOf(base, 0)], deny: [networkOf(base, length), networkOf(base, length)] },
    ]).flat(),
  );
  const ask = await served(
    t,
    lists,
    lists.map((_, index) => [index]),
  );
  const counts = { asked: 0, in: 0 };
  for (const base of bases) {
    const flipped = Array.from({ length: base.bits }, (_, bit) => ({
      ...base,
      value: base.value ^ (1n << BigInt(bit)),
    }));
    for (const source of [base, ...flipped]) {
      const found = await ask(source);
      for (const [index, list] of lists.entries()) {
        const expected = isLetIn(source, [list]);
        const detail = `${textOf(source)}: ${list.allow.map(cidrOf).join()} without ${list.deny.map(cidrOf).join()}`;
        assert.equal(found[index], expected, detail);
        counts.asked += 1;
        if (expected) counts.in += 1;
      }
    }
  }
  t.diagnostic(`${counts.asked} decisions, of which ${counts.in} let in`);
  assert.ok(counts.in > counts.asked / 10);
});

test("up to six policies, with duplicates and networks within networks, decide as defined", async (t) => {
  const bases = [random(32), random(32), random(128), random(128)];
  const [first, ...others] = bases;
  assert.ok(first);
  const near = (): Address => {
    const base = draw.pick([first, ...others]);
    return { ...base, value: base.value ^ (1n << BigInt(draw.below(base.bits))) };
  };
  const networks = () =>
    Array.from({ length: draw.below(5) }, () => {
      const network = networkOf(near(), draw.pick([0, 1, 3, 8, 15, 20, 25, 30, 31, 32]));
      return draw.chance(0.2) ? [network, network] : [network];
    }).flat();
  const policies = Array.from({ length: 40 }, () => ({
    allow: [...networks(), ...networks()],
    deny: draw.chance(0.6) ? [] : networks().filter(({ length }) => length > 1),
  }));
  const routes = Array.from({ length: 150 }, (_, index) =>
    Array.from({ length: index % 7 }, () => draw.below(policies.length)),
  );
  const ask = await served(t, policies, routes);
  const counts = { asked: 0, in: 0 };
  for (const source of [...bases, ...Array.from({ length: 60 }, near), random(32), random(128)]) {
    const found = await ask(source);
    for (const [index, indices] of routes.entries()) {
      const rules = indices.flatMap((policy) => policies[policy] ?? []);
      const expected = isLetIn(source, rules);
      const detail = JSON.stringify(rules.map(({ allow, deny }) => [allow.map(cidrOf), deny.map(cidrOf)]));
      assert.equal(found[index], expected, `${textOf(source)}: ${detail}`);
      counts.asked += 1;
      if (expected) counts.in += 1;
    }
  }
  t.diagnostic(`${counts.asked} decisions, of which ${counts.in} let in`);
  assert.ok(counts.in > counts.asked / 20 && counts.in < counts.asked * 0.95, `${counts.in}`);
});
