// @module-tag large
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { app } from "../src/app.ts";
import { ORIGIN, post, requiredHeaders } from "./support/api.ts";
import { givenIpPolicy, givenStatic } from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";

/*
 * Replacing thousands of rules lets other requests run. The database of the tests works in the same process, and that of the platform
 * elsewhere, so only the time between calls to the database counts.
 */

const RULES = 9_000;
const EDGES = 100;

/** The longest time without a turn for others while no call to the database is under way, in milliseconds. */
async function longestComputation(path: string, body: unknown): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let calls = 0;
  const end = new AbortController();
  const note = (): void => {
    const now = performance.now();
    if (calls === 0) longest = Math.max(longest, now - last);
    last = now;
  };
  const DB = intercepted(env.DB, async ({ send }) => {
    note();
    calls += 1;
    try {
      return await send();
    } finally {
      note();
      calls -= 1;
    }
  });
  const ticking = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await scheduler.wait(1);
      note();
    }
  };
  const ticks = ticking();
  const response = await app.request(
    ORIGIN + path,
    {
      method: "POST",
      headers: { "Content-Type": "application/json", ...requiredHeaders },
      body: JSON.stringify(body),
    },
    { ...env, KEY_LIMIT: undefined, FAILED_AUTHENTICATION_LIMIT: undefined, DB },
    createExecutionContext(),
  );
  await response.text();
  note();
  end.abort();
  await ticks;
  expect(response.status).toBe(200);
  return longest;
}

interface Rule {
  cidr: string;
  action: "allow" | "deny";
}

const rules = (first: number): Rule[] =>
  Array.from({ length: RULES }, (_, i) => ({ cidr: `${first}.${i >> 8}.${i & 255}.1/32`, action: "allow" }));

/** Rules that admit everybody but single addresses: each gap between two of them is about two hundred networks. */
const gaps = (): Rule[] => [
  { cidr: "::/0", action: "allow" },
  ...Array.from({ length: RULES }, (_, i): Rule => {
    const group = (0x1000 + i).toString(16);
    return { cidr: `${group}:1:1:1:1:1:1:1/128`, action: "deny" };
  }),
];

test(
  "other rules for a policy of 100 edges, as a preview and as a dry run",
  { timeout: 300_000 },
  async () => {
    vi.spyOn(console, "info").mockReturnValue();
    const { id } = await givenIpPolicy();
    const { id: backend_id } = await givenStatic();
    const edges = Array.from({ length: EDGES }, (_, i) => ({
      method: "POST",
      path: "/edges/tcp",
      body: {
        hostports: [`rules.example.com:${20_000 + i}`],
        backend: { backend_id },
        ip_restriction: { ip_policy_ids: [id] },
      },
    }));
    expect((await post("/transactions", { operations: edges })).status).toBe(200);
    const put = (all: Rule[]) => [{ method: "PUT", path: `/ip_policies/${id}/rules`, body: { rules: all } }];
    expect((await post("/transactions", { operations: put(rules(10)) })).status).toBe(200);
    for (const [path, body] of [
      ["/previews", { operations: put(rules(11)) }],
      ["/previews", { operations: put(gaps()) }],
      ["/transactions", { operations: put(rules(11)), dry_run: true }],
    ] as const) {
      const attempts: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) attempts.push(await longestComputation(path, body));
      expect(Math.min(...attempts), `${path}: ${attempts.join()} ms`).toBeLessThan(500);
    }
  },
);
