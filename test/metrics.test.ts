import { afterAll, beforeEach, expect, test } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { version as release } from "../src/http/version.ts";
import { del, get, post, put, requiredHeaders } from "./support/api.ts";
import {
  answering,
  change,
  CREATED,
  delivery,
  fresh,
  givenWebhook,
  HOUR,
  MINUTE,
  minute,
  pass,
  restoreAll,
  SECOND,
  status,
  subscribe,
} from "./support/delivering.ts";
import * as given from "./support/given.ts";
import { toPost } from "./support/operations.ts";

beforeEach(fresh);
afterAll(restoreAll);

const NAME = /^[a-z][a-z0-9_]*$/;
const SAMPLE = /^([a-z][a-z0-9_]*)(?:\{([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"\})? (\d+(?:\.\d+)?)$/;

/** The samples of the metrics, each by its name and label: `edge_agent_up{lisbon-1}`. Fails unless the text has the format 0.0.4. */
async function scraped(): Promise<Record<string, number>> {
  const { status: code, text } = await get("/metrics");
  expect(code).toBe(200);
  expect(text.endsWith("\n")).toBe(true);
  const samples: Record<string, number> = {};
  const types = new Map<string, string>();
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      expect(name).toMatch(NAME);
      expect(types.has(name), `${name} occurs once`).toBe(false);
      current = name;
    } else if (kind === "TYPE") {
      expect(name).toBe(current);
      expect(rest).toBe(name.endsWith("_total") ? "counter" : "gauge");
      types.set(name, rest);
    } else {
      const [, sampled, , label, value] = SAMPLE.exec(line) ?? [];
      expect(sampled, line).toBe(current);
      samples[label === undefined ? current : `${current}{${label}}`] = Number(value);
    }
  }
  return samples;
}

test("an empty service has the totals, and no agents or destinations", async () => {
  expect(await scraped()).toEqual({
    [`edge_build_info{${release}}`]: 1,
    edge_changes_total: 0,
    edge_plans_open: 0,
  });
});

test("changes and open plans are counted", async () => {
  const { edge_changes_total: before = 0 } = await scraped();
  await change();
  await change();
  expect((await scraped())["edge_changes_total"]).toBe(before + 2);
  const operations = [toPost("/ip_policies")];
  const { body: plan } = await post("/plans", { operations });
  await post("/plans", { operations });
  expect((await scraped())["edge_plans_open"]).toBe(2);
  await del(`/plans/${plan["id"]}`);
  expect((await scraped())["edge_plans_open"]).toBe(1);
  pass(30 * 24 * HOUR);
  expect((await scraped())["edge_plans_open"]).toBe(0);
});

test("an agent is up while it reports, and shows how far it is behind", async () => {
  const { token } = await given.key({ role: "agent" });
  const { version } = (await get("/snapshot")).body;
  const problem = { object: "edgtcp_1", code: "certificate_missing", msg: "No certificate." };
  await put(
    "/agents/lisbon-1/status",
    { applied_version: version, ok: true, problems: [problem] },
    { token },
  );
  const seen = clock.now() / SECOND;
  const first = await scraped();
  expect(first["edge_agent_last_seen_timestamp_seconds{lisbon-1}"]).toBeCloseTo(seen, -1);
  expect(first).toMatchObject({
    "edge_agent_up{lisbon-1}": 1,
    "edge_agent_ok{lisbon-1}": 1,
    "edge_agent_problems{lisbon-1}": 1,
    "edge_agent_behind_changes{lisbon-1}": 0,
    "edge_agent_behind_seconds{lisbon-1}": 0,
  });
  await change();
  pass(2 * MINUTE);
  const { body: agent } = await get("/agents/lisbon-1");
  const second = await scraped();
  expect(second["edge_agent_behind_changes{lisbon-1}"]).toBe(agent["behind"]);
  expect(agent["behind"]).toBeGreaterThan(0);
  expect(second["edge_agent_behind_seconds{lisbon-1}"]).toBeCloseTo(120, -1);
  expect(second["edge_agent_up{lisbon-1}"]).toBe(1);
  pass(MINUTE + SECOND);
  expect((await scraped())["edge_agent_up{lisbon-1}"]).toBe(0);
  await put("/agents/lisbon-1/status", { applied_version: version, ok: false }, { token });
  expect(await scraped()).toMatchObject({ "edge_agent_up{lisbon-1}": 1, "edge_agent_ok{lisbon-1}": 0 });
});

test("an agent shows when the first certificate that it uses ends", async () => {
  const { token } = await given.key({ role: "agent" });
  const now = clock.now();
  const at = (seconds: number): string => timestamp(now + seconds * SECOND);
  const certificate = (from: number, to: number, used = true) => ({
    hosts: ["shop.example.com"],
    not_before: at(from),
    not_after: at(to),
    issuer: "",
    serial: "0a",
    source: "file",
    used,
  });
  const report = (...certificates: object[]) =>
    put("/agents/lisbon-1/status", { ok: true, certificates }, { token });
  const [ending, expiry] = ["ending", "expiry_timestamp_seconds"].map(
    (name) => `edge_agent_certificate_${name}{lisbon-1}`,
  );
  await report(certificate(-90, 100, false));
  expect(Object.keys(await scraped())).not.toContain(ending);
  await report(certificate(-90, 1000), certificate(0, 400), certificate(-90, 100, false));
  const first = await scraped();
  expect(first[expiry ?? ""]).toBe(Date.parse(at(400)) / SECOND);
  expect(first[ending ?? ""]).toBe(0);
  pass(301 * SECOND);
  expect((await scraped())[ending ?? ""]).toBe(1);
});

test("a destination shows what it received, and how long it has not", async () => {
  const hook = await givenWebhook();
  await subscribe([hook], CREATED);
  await change();
  await minute();
  const of = (name: string) => `edge_delivery_${name}{${hook.id}}`;
  const { delivered } = await delivery(hook);
  expect(await scraped()).toMatchObject({
    [of("lag_seconds")]: 0,
    [of("failures")]: 0,
    [of("suspended")]: 0,
    [of("events_total")]: delivered,
    [of("lost_events_total")]: 0,
  });
  answering(() => status(500));
  await change();
  await minute();
  pass(10 * MINUTE);
  const failing = await scraped();
  const { consecutive_failures } = await delivery(hook);
  expect(failing[of("failures")]).toBe(consecutive_failures);
  expect(consecutive_failures).toBeGreaterThan(0);
  expect(failing[of("lag_seconds")]).toBeGreaterThanOrEqual(600);
  answering(() => status(410));
  pass(HOUR);
  await minute();
  expect((await scraped())[of("suspended")]).toBe(1);
});

test("Prometheus, which sends a key with the role metrics and no version, gets its format", async () => {
  const { token } = await given.key({ role: "metrics" });
  const { status: code, headers } = await get("/metrics", {
    token,
    headers: { "Service-Version": undefined },
  });
  expect([code, headers.get("Content-Type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expect(requiredHeaders).toHaveProperty("Service-Version");
});

test("a scrape takes one round trip, and two or three rows for each agent and each destination", async () => {
  const rows = async () => {
    const { cost } = await get("/metrics");
    expect(cost.roundTrips).toBe(1);
    return cost.rowsRead;
  };
  const { token } = await given.key({ role: "agent" });
  const { version } = (await get("/snapshot")).body;
  const before = await rows();
  for (let i = 0; i < 5; i++)
    await put(`/agents/lisbon-${i}/status`, { applied_version: version, ok: true }, { token });
  const withAgents = await rows();
  expect((withAgents - before) / 5).toBeLessThanOrEqual(3);
  // The last events change nothing that is served: they are read once to find the newest change, not for each agent.
  for (let i = 0; i < 5; i++) await subscribe([await givenWebhook()], CREATED);
  expect(await rows()).toBeLessThanOrEqual(withAgents + 5 * 3 + 2 * 10);
});
