import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { clock } from "../packages/model/src/clock.ts";
import { app } from "../src/app.ts";
import { keyRingOf, placeOf, seal } from "../src/db/seals.ts";
import { LOGIN_COOKIE } from "../src/http/cookies.ts";
import wrangler from "../wrangler.toml?raw";
import { get, ORIGIN, post } from "./support/api.ts";
import * as given from "./support/given.ts";

const policy = '"key";q=3;w=60';

/** The limiter resets its counters every minute, so a test must end in the minute in which it starts. */
beforeEach(async () => {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 3_000) await scheduler.wait(left);
});

test("a key over its limit gets 429 with Retry-After, and other keys are not affected", async () => {
  const limited = { KEY_LIMIT: env.SMALL_LIMIT, KEY_LIMIT_POLICY: policy };
  const [{ token: busy }, { token: other }] = [await given.key(), await given.key()];
  for (let i = 0; i < 3; i++)
    expect((await get("/ip_policies", { token: busy, env: limited })).status).toBe(200);
  const { status, body, headers, cost } = await get("/ip_policies", { token: busy, env: limited });
  expect([status, body.error_code]).toEqual([429, "ERR_RATE_LIMITED"]);
  expect([headers.get("Retry-After"), headers.get("RateLimit-Policy")]).toEqual(["60", policy]);
  expect([...headers.keys()].filter((name) => name.includes("remaining"))).toEqual([]);
  expect(cost.roundTrips).toBe(0);
  expect((await get("/ip_policies", { token: other, env: limited })).status).toBe(200);
});

test("an address with too many failed authentications gets 429, except with a key that this isolate has accepted", async () => {
  const limited = {
    FAILED_AUTHENTICATION_LIMIT: env.SMALL_LIMIT,
    FAILED_AUTHENTICATION_LIMIT_POLICY: '"failed-authentication";q=3;w=60',
  };
  const ask = (address: string, token: string) =>
    get("/ip_policies", { token, env: limited, headers: { "CF-Connecting-IP": address } });
  const [{ token: known }, { token: unknown }] = [await given.key(), await given.key()];
  expect((await ask("192.0.2.3", known)).status).toBe(200);
  const seen: number[] = [];
  for (let i = 0; i < 5; i++) seen.push((await ask("192.0.2.1", `wrong${i}`)).status);
  expect(seen).toEqual([401, 401, 401, 429, 429]);
  expect((await ask("192.0.2.2", "wrong")).status).toBe(401);
  expect((await ask("192.0.2.1", known)).status).toBe(200);
  expect((await ask("192.0.2.1", unknown)).status).toBe(429);
});

test("an address with too many sign-ins gets 429, whatever it signs in with", async () => {
  const limited = { LOGIN_LIMIT: env.SMALL_LIMIT, LOGIN_LIMIT_POLICY: '"login";q=3;w=60' };
  const { token } = await given.key();
  const signIn = (address: string, sent: string) =>
    post(
      "/auth/key",
      { token: sent },
      {
        env: limited,
        headers: { Authorization: undefined, "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": address },
      },
    );
  const seen: number[] = [];
  for (const sent of [token, "wrong", token, token, "wrong"])
    seen.push((await signIn("192.0.2.11", sent)).status);
  expect(seen).toEqual([204, 401, 204, 429, 429]);
  const { status, body, headers, cost } = await signIn("192.0.2.11", token);
  expect([status, body.error_code, headers.get("Retry-After")]).toEqual([429, "ERR_RATE_LIMITED", "60"]);
  expect([headers.get("RateLimit-Policy"), cost.roundTrips]).toEqual(['"login";q=3;w=60', 0]);
  expect((await signIn("192.0.2.12", token)).status).toBe(204);
});

test("a login cookie asks the provider only as often as an address may sign in", async () => {
  const provider = {
    OIDC_ISSUER: "http://127.0.0.1:9",
    OIDC_CLIENT_ID: "edge",
    OIDC_CLIENT_SECRET: "secret",
  };
  const limited = { ...env, ...provider, LOGIN_LIMIT: env.SMALL_LIMIT };
  const ring = await keyRingOf(env.SEALING_KEYS);
  if (!ring) throw new Error("no sealing keys");
  const login = {
    state: "s",
    nonce: "n",
    verifier: "v",
    return_to: "/console",
    expires_at: clock.now() + 60_000,
  };
  const cookie = await seal(ring, JSON.stringify(login), placeOf("cookie", LOGIN_COOKIE));
  const statuses = [];
  for (let i = 0; i < 4; i++) {
    const context = createExecutionContext();
    const headers = { Cookie: `${LOGIN_COOKIE}=${cookie}`, "CF-Connecting-IP": "192.0.2.13" };
    const response = await app.request(
      `${ORIGIN}/auth/callback?code=c&state=s`,
      { headers },
      limited,
      context,
    );
    await waitOnExecutionContext(context);
    statuses.push(response.status);
  }
  expect(statuses).toEqual([503, 503, 503, 429]);
});

test("IPv6 clients are counted by their /64 network", async () => {
  const limited = { FAILED_AUTHENTICATION_LIMIT: env.SMALL_LIMIT };
  const ask = async (address: string) =>
    (await get("/ip_policies", { token: "wrong", env: limited, headers: { "CF-Connecting-IP": address } }))
      .status;
  const seen: number[] = [];
  for (const host of ["1", "2:3", "ffff:ffff:ffff:ffff", "4"])
    seen.push(await ask(`2001:db8:0:7::${host}`.replace("::ffff", ":ffff")));
  expect(seen).toEqual([401, 401, 401, 429]);
  expect(await ask("2001:db8:0:8::1")).toBe(401);
});

test("requests are let through if the rate limiter fails", async () => {
  const KEY_LIMIT: RateLimit = { limit: () => Promise.reject(new Error("no limiter")) };
  expect((await get("/ip_policies?limit=1", { env: { KEY_LIMIT } })).status).toBe(200);
});

test("without the bindings, there are no limits", async () => {
  const { token } = await given.key();
  for (let i = 0; i < 10; i++) expect((await get("/ip_policies?limit=1", { token })).status).toBe(200);
});

test("the policies reported to callers match the configured limits", () => {
  const limits = [
    ...wrangler.matchAll(/name = "(\w+_LIMIT)"\n.*\nsimple = \{ limit = (\d+), period = (\d+) \}/g),
  ];
  expect(limits.map(([, name]) => name)).toEqual(["KEY_LIMIT", "FAILED_AUTHENTICATION_LIMIT", "LOGIN_LIMIT"]);
  for (const [, name, limit, period] of limits)
    expect(wrangler).toMatch(new RegExp(`^${name}_POLICY = '"[a-z-]+";q=${limit};w=${period}'$`, "m"));
});
