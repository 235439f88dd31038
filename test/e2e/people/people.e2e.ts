import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Json } from "../../support/json.ts";
import { startBrowser } from "../support/browser.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";
import { type Answers, fakeProvider, idToken, rightAnswers, type Token } from "./fake_provider.ts";
import { follow, type Jar, newJar } from "./jar.ts";
import { CLIENT, providerFor, startServer } from "./provider.ts";

/*
 * People sign in: the built Worker with a real provider, a provider that lies, and Chromium.
 */

const ROOT = "key-of-the-tests";
const SEALING_KEYS = `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`;
const PEOPLE_ROLES = JSON.stringify([
  { group: "platform", role: "admin" },
  { email: "*@example.com", role: "viewer" },
]);

const folder = mkdtempSync(join(tmpdir(), "edge-people-"));
const bundle = workerBundle();
const persist = join(folder, "state");

let provider: Awaited<ReturnType<typeof startServer>>;
let liar: Awaited<ReturnType<typeof startServer>>;
let stranger: Awaited<ReturnType<typeof startServer>>;
let worker: RunningWorker;
let deceived: RunningWorker;
let service: string;
let service2: string;
let browser: Browser;
let answers: Answers;
/** What the Worker with the provider that lies has logged. */
const logged: string[] = [];

const settings = (issuer: string) => ({
  ROOT_API_KEY: ROOT,
  SEALING_KEYS,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_SCOPE: "openid email profile groups",
  PEOPLE_ROLES,
});

const named = (origin: string): string => origin.replace("127.0.0.1", "localhost");

before(async () => {
  migrate(persist);
  [provider, liar, stranger] = await Promise.all([startServer(), startServer(), startServer()]);
  worker = await startWorker({ bundle, persist, bindings: settings(provider.origin) });
  service = named(worker.origin);
  const other = join(folder, "other");
  migrate(other);
  deceived = await startWorker({
    bundle,
    persist: other,
    bindings: settings(liar.origin),
    onLog: (line) => logged.push(line),
  });
  service2 = named(deceived.origin);
  provider.handle(providerFor(provider.origin, service));
  answers = rightAnswers(liar.origin);
  liar.handle(fakeProvider(() => answers));
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await worker?.dispose();
  await deceived?.dispose();
  for (const server of [provider, liar, stranger]) server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const withKey = {
  Authorization: `Bearer ${ROOT}`,
  "Service-Version": "2",
  "Content-Type": "application/json",
};

async function asRoot(origin: string, method: string, path: string, body?: object): Promise<Json> {
  const init = { method, headers: withKey, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(origin + path, init);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Json);
}

const asPerson = async (jar: Jar, path: string): Promise<{ status: number; body: Json }> => {
  const response = await jar.fetch(service + path, { headers: { "Service-Version": "2" } });
  return { status: response.status, body: await response.json<Json>() };
};

/** Signs in at the real provider up to the callback's address. */
async function toCallback(jar: Jar, account: string, returnTo = "/console"): Promise<string> {
  const login = `${service}/auth/login?return_to=${encodeURIComponent(returnTo)}`;
  const page = await follow(jar, login, /\/interaction\//);
  assert.match(page, /\/interaction\//);
  return follow(jar, `${page}?account=${account}`, /\/auth\/callback/);
}

async function signedIn(account: string): Promise<Jar> {
  const jar = newJar();
  const response = await jar.fetch(await toCallback(jar, account));
  assert.equal(response.status, 303, await response.text());
  return jar;
}

describe("with a real provider", () => {
  test("a person signs in, has the role of the group, and is named in events", async () => {
    const jar = newJar();
    const response = await jar.fetch(await toCallback(jar, "ada", "/console#/policies?x=1"));
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("Location"), "/console#/policies?x=1");
    assert.equal(response.headers.get("Referrer-Policy"), "no-referrer");
    assert.deepEqual([...(jar.cookies.get(service)?.keys() ?? [])], ["__Host-edge_session"]);
    const { body } = await asPerson(jar, "/whoami");
    assert.deepEqual([body["kind"], body["subject"], body["role"]], ["user", "ada@example.com", "admin"]);
    const [created] = (await asRoot(service, "GET", "/events?type=session_created.v0"))["events"];
    assert.deepEqual(created.principal, {
      id: body["id"],
      subject: "ada@example.com",
      source: "Console",
      credential: null,
    });
    const grace = await signedIn("grace");
    assert.equal((await asPerson(grace, "/whoami")).body["role"], "viewer");
  });

  test("the second sign-in is the same user, with another session", async () => {
    const [first, second] = [await signedIn("ada"), await signedIn("ada")];
    const ids = await Promise.all(
      [first, second].map(async (jar) => (await asPerson(jar, "/whoami")).body["id"]),
    );
    assert.equal(ids[0], ids[1]);
    assert.notDeepEqual(first.cookies.get(service), second.cookies.get(service));
  });

  test("nobody without a role gets in, and no user is created", async () => {
    const jar = newJar();
    const address = await toCallback(jar, "mallory");
    const response = await jar.fetch(address, { headers: { Accept: "text/html" } });
    assert.equal(response.status, 403);
    assert.match(response.headers.get("Content-Type") ?? "", /text\/html/);
    assert.equal(jar.cookies.get(service)?.has("__Host-edge_session"), false);
    const { users } = await asRoot(service, "GET", "/users");
    assert.ok(!users.some((user: Json) => user["subject"] === "mallory"));
  });

  test("an admin's role counts instead of the provider's; somebody deactivated does not get in", async () => {
    const jar = await signedIn("grace");
    const { id } = (await asPerson(jar, "/whoami")).body;
    await asRoot(service, "PATCH", `/users/${id}`, { role: "editor" });
    const again = await signedIn("grace");
    assert.equal((await asPerson(again, "/whoami")).body["role"], "editor");
    await asRoot(service, "PATCH", `/users/${id}`, { active: false });
    const refused = newJar();
    const response = await refused.fetch(await toCallback(refused, "grace"));
    assert.equal(response.status, 403);
    assert.equal((await response.json<Json>())["error_code"], "ERR_NO_ROLE");
    await asRoot(service, "PATCH", `/users/${id}`, { active: true, role: "" });
  });

  test("a code that is used twice, or in another browser, gives no second session", async () => {
    const jar = newJar();
    const address = await toCallback(jar, "ada");
    const login = new Map(jar.cookies.get(service));
    assert.equal((await jar.fetch(address)).status, 303);
    assert.equal((await jar.fetch(address)).status, 400);
    const replayed = newJar();
    replayed.cookies.set(service, login);
    assert.equal((await replayed.fetch(address)).status, 401);
    const foreign = newJar();
    assert.equal((await foreign.fetch(await toCallback(newJar(), "ada"))).status, 400);
  });

  test("somebody else's code is not accepted: state and verifier belong to the browser", async () => {
    const [victim, attacker] = [newJar(), newJar()];
    const stolen = new URL(await toCallback(attacker, "ada"));
    const own = new URL(await toCallback(victim, "grace"));
    assert.equal((await victim.fetch(stolen.href)).status, 401);
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    assert.equal((await victim.fetch(own.href)).status, 401);
    assert.equal(victim.cookies.get(service)?.has("__Host-edge_session"), false);
  });

  test("an altered, empty or foreign login cookie has expired", async () => {
    const jar = newJar();
    const address = await toCallback(jar, "ada");
    const sealed = jar.cookies.get(service)?.get("__Host-edge_login") ?? "";
    const last = sealed.at(-10) === "A" ? "B" : "A";
    for (const value of [
      "",
      "x",
      sealed.slice(0, -10) + last + sealed.slice(-9),
      sealed.slice(0, 40),
      sealed + "A",
    ]) {
      const response = await fetch(address, {
        headers: { Cookie: `__Host-edge_login=${value}` },
        redirect: "manual",
      });
      assert.deepEqual(
        [response.status, (await response.json<Json>())["error_code"]],
        [400, "ERR_SIGN_IN_EXPIRED"],
      );
    }
  });

  test("no way leads out of the console's pages", async () => {
    const wrong = [
      "//evil.test",
      "/\\evil.test",
      "https://evil.test/console",
      "/consoleX",
      "/auth/login",
      "/console/../docs",
      "javascript:alert(1)",
      "\t//evil.test",
      "/%2fevil.test",
    ];
    for (const returnTo of wrong) {
      const jar = newJar();
      const response = await jar.fetch(await toCallback(jar, "ada", returnTo));
      assert.equal(response.headers.get("Location"), "/console", returnTo);
    }
  });

  test("signing out names the provider's page, and ends the session", async () => {
    const jar = await signedIn("ada");
    const cookie = Array.from(jar.cookies.get(service) ?? [], (pair) => pair.join("=")).join("");
    const response = await jar.fetch(`${service}/auth/session`, {
      method: "DELETE",
      headers: { "Sec-Fetch-Site": "same-origin" },
    });
    const { logout_uri } = await response.json<Json>();
    assert.ok(String(logout_uri).startsWith(`${provider.origin}/session/end?`), logout_uri);
    assert.equal(jar.cookies.get(service)?.size, 0);
    const reused = await fetch(`${service}/whoami`, { headers: { Cookie: cookie, "Service-Version": "2" } });
    assert.equal(reused.status, 401);
  });

  test("a personal key acts in the person's name, and ends with the person", async () => {
    const jar = await signedIn("ada");
    const response = await jar.fetch(`${service}/users/me/keys`, {
      method: "POST",
      headers: {
        "Sec-Fetch-Site": "same-origin",
        "Service-Version": "2",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ description: "laptop" }),
    });
    const { token, owner_id } = await response.json<Json>();
    const call = () =>
      fetch(`${service}/users`, { headers: { Authorization: `Bearer ${token}`, "Service-Version": "2" } });
    assert.equal((await call()).status, 200);
    await asRoot(service, "PATCH", `/users/${owner_id}`, { active: false });
    assert.equal((await call()).status, 401);
    await asRoot(service, "PATCH", `/users/${owner_id}`, { active: true });
  });
});

describe("with a provider that lies", () => {
  /** The message of the last attempt. */
  let said = "";

  /** Signs in up to the callback, where the provider answers with this token. */
  async function attempt(
    token: Token,
    change: (url: URL) => void = () => {},
    others: Json = {},
    jar = newJar(),
  ): Promise<[number, string]> {
    const login = await jar.fetch(`${service2}/auth/login`);
    assert.equal(login.status, 303, await login.text());
    const sent = new URL(login.headers.get("Location") ?? "");
    assert.equal(sent.searchParams.get("code_challenge_method"), "S256");
    const nonce = sent.searchParams.get("nonce") ?? "";
    answers.token = {
      access_token: "x",
      token_type: "Bearer",
      id_token: idToken(liar.origin, CLIENT, nonce, token),
      ...others,
    };
    const url = new URL(`${service2}/auth/callback`);
    url.searchParams.set("code", "c");
    url.searchParams.set("iss", liar.origin);
    url.searchParams.set("state", sent.searchParams.get("state") ?? "");
    change(url);
    const response = await jar.fetch(url.href);
    const isIn = jar.cookies.get(service2)?.has("__Host-edge_session") ?? false;
    assert.equal(isIn, response.status === 303);
    const text = await response.text();
    said = text === "" ? "" : String((JSON.parse(text) as Json)["msg"]);
    return [response.status, text === "" ? "" : String((JSON.parse(text) as Json)["error_code"])];
  }

  const IN = [303, ""];
  const REFUSED = [401, "ERR_SIGN_IN_REFUSED"];
  const NO_ROLE = [403, "ERR_NO_ROLE"];
  const now = () => Math.floor(Date.now() / 1000);

  test("40 sign-ins at once on a fresh isolate succeed", async () => {
    const logins = Array.from({ length: 40 }, () => newJar().fetch(`${service2}/auth/login`));
    for (const { status } of await Promise.all(logins)) assert.equal(status, 303);
    assert.deepEqual(await attempt({}), IN);
  });

  test("the metadata and the keys are asked for once, then shared", async () => {
    answers.asked = {};
    for (let i = 0; i < 3; i++) assert.deepEqual(await attempt({}), IN);
    assert.deepEqual(answers.asked, { "/token": 3 });
  });

  const wrong: Record<string, Token> = {
    "a token of another issuer": { claims: { iss: "https://evil.test" } },
    "a token for another client": { claims: { aud: "other" } },
    "a token for several clients without azp": { claims: { aud: ["edge", "other"] } },
    "another nonce": { claims: { nonce: "other" } },
    "no nonce": { claims: { nonce: undefined } },
    "an expired token": { claims: { iat: 1, exp: 2 } },
    "a token without expiry": { claims: { exp: undefined } },
    "a token of the future": { claims: { nbf: now() + 3600 } },
    "a token without a subject": { claims: { sub: undefined } },
    "a subject that is no text": { claims: { sub: 7 } },
    "a signature of somebody else": { signedBy: "stranger" },
    "no signature": { signedBy: "nobody" },
    "alg none": { header: { alg: "none" }, signedBy: "nobody" },
    "a signature with the client's secret": { header: { alg: "HS256" }, signedBy: "client secret" },
    "an unknown key": { header: { kid: "2" } },
  };
  for (const [name, token] of Object.entries(wrong))
    test(`${name} is rejected`, async () => assert.deepEqual(await attempt(token), REFUSED));

  test("another state, issuer or answer in the address is rejected", async () => {
    const changes: ((url: URL) => void)[] = [
      (url) => url.searchParams.set("state", "other"),
      (url) => url.searchParams.delete("state"),
      (url) => url.searchParams.append("state", "other"),
      (url) => url.searchParams.set("iss", "https://evil.test"),
      (url) => url.searchParams.delete("iss"),
      (url) => url.searchParams.delete("code"),
      (url) => url.searchParams.append("code", "second"),
      (url) => url.searchParams.set("error", "access_denied"),
    ];
    for (const change of changes) assert.deepEqual(await attempt({}, change), REFUSED);
  });

  test("an answer without an ID token, or of another form, is rejected", async () => {
    for (const others of [
      { id_token: undefined },
      { id_token: "x.y.z" },
      { error: "invalid_grant" },
      { error: "invalid_client" },
      { token_type: 3 },
    ])
      assert.deepEqual(await attempt({}, undefined, others), REFUSED);
  });

  test("groups and addresses are only believed as far as they are sure", async () => {
    const cases: [Json, unknown][] = [
      [{ groups: ["all"], email_verified: false }, NO_ROLE],
      [{ groups: ["all"], email_verified: "true" }, NO_ROLE],
      [{ groups: [], email: "eve@example.com.evil.test" }, NO_ROLE],
      [{ groups: [], email: "eve@evil.test@example.com" }, NO_ROLE],
      [{ groups: [], email: "EVE@EXAMPLE.COM" }, IN],
      [{ groups: "platform" }, IN],
      [{ groups: ["platform"], _claim_names: { groups: "src1" } }, NO_ROLE],
      [{ groups: undefined, email: undefined }, NO_ROLE],
    ];
    for (const [claims, expected] of cases)
      assert.deepEqual(
        await attempt({ claims: { sub: `s${JSON.stringify(claims)}`, ...claims } }),
        expected,
        JSON.stringify(claims),
      );
  });

  test("somebody who gets no role learns which claims came, and why the address does not count", async () => {
    for (const [claims, words] of [
      [
        { groups: ["all", "staff"], email_verified: false },
        'groups has "all", "staff", and the address is ignored',
      ],
      [{ groups: [], email: "eve@evil.test" }, "the claim groups has no values. Ask"],
      [{ groups: undefined, email: undefined }, "the claim groups is missing. Ask"],
      [{ groups: [..."0123456789ab"], email: undefined }, '"9" and 2 more. Ask'],
    ] as const) {
      assert.deepEqual(await attempt({ claims: { sub: `learns ${words}`, ...claims } }), NO_ROLE);
      assert.ok(said.includes(words), said);
    }
  });

  test("a person is who the issuer and the subject say, never the address", async () => {
    assert.deepEqual(await attempt({ claims: { sub: "impostor", groups: [] } }), IN);
    const { users } = await asRoot(service2, "GET", "/users");
    const same = users.filter((user: Json) => user["email"] === "ada@example.com");
    assert.ok(same.length >= 2);
    const impostor = same.find((user: Json) => user["subject"] === "impostor");
    assert.equal(impostor["provider_role"], "viewer");
  });

  test("a person with another role, or none, loses the sessions with the old one", async () => {
    const sub = "demoted";
    const [first, second, third] = [newJar(), newJar(), newJar()];
    const here = async (jar: Jar) => {
      const response = await jar.fetch(`${service2}/users`, { headers: { "Service-Version": "2" } });
      return response.status;
    };
    const attemptIn = (jar: Jar, claims: Json) => attempt({ claims: { sub, ...claims } }, undefined, {}, jar);
    assert.deepEqual(await attemptIn(first, {}), IN);
    assert.deepEqual(await attemptIn(second, {}), IN);
    assert.deepEqual([await here(first), await here(second)], [200, 200]);
    assert.deepEqual(await attemptIn(third, { groups: [] }), IN);
    assert.deepEqual([await here(first), await here(second), await here(third)], [401, 401, 403]);
    const response = await third.fetch(`${service2}/whoami`, { headers: { "Service-Version": "2" } });
    const { id } = await response.json<Json>();
    const { events } = await asRoot(service2, "GET", "/events?type=session_deleted.v0");
    const ended = events.filter(
      (event: Json) => event["object"].user?.id === id || event["object"].user_id === id,
    );
    assert.equal(ended.length, 2, JSON.stringify(events[0]));
    assert.equal(ended[0].principal.subject, "sign-in");
    assert.deepEqual(await attemptIn(newJar(), { groups: [], email_verified: false }), NO_ROLE);
    assert.equal(await here(third), 401);
  });

  test("a sign-in with the same role keeps the other sessions", async () => {
    const [first, second] = [newJar(), newJar()];
    for (const jar of [first, second])
      assert.deepEqual(await attempt({ claims: { sub: "two browsers" } }, undefined, {}, jar), IN);
    const response = await first.fetch(`${service2}/users`, { headers: { "Service-Version": "2" } });
    assert.equal(response.status, 200);
  });

  test("text in the callback's address reaches neither the event nor the page", async () => {
    const text = "call +49 30 1234 to unlock";
    const change = (url: URL) => {
      url.searchParams.delete("code");
      url.searchParams.set("error", text);
      url.searchParams.set("error_description", text);
    };
    assert.deepEqual(await attempt({}, change), REFUSED);
    assert.deepEqual(await attempt({}, undefined, { error: text, error_description: text }), REFUSED);
    const known = (url: URL) => {
      url.searchParams.delete("code");
      url.searchParams.set("error", "access_denied");
    };
    assert.deepEqual(await attempt({}, known), REFUSED);
    const { events } = await asRoot(service2, "GET", "/events?type=sign_in_refused.v0");
    const reasons = events.map((event: Json) => event["object"].reason).join("\n");
    assert.doesNotMatch(reasons, /unlock/);
    assert.match(reasons, /an unknown error code/);
    assert.match(reasons, /access_denied/);
    assert.doesNotMatch(logged.join("\n"), /unlock/);
    assert.match(logged.join("\n"), /an unknown error code/);
  });

  test("a return address too long for a cookie leads to the console", async () => {
    for (const [length, expected] of [
      [1_990, /^\/console\?x{1980}$/],
      [3_000, /^\/console$/],
    ] as const) {
      const jar = newJar();
      const login = await jar.fetch(
        `${service2}/auth/login?return_to=${encodeURIComponent(`/console?${"x".repeat(length - 10)}`)}`,
      );
      const cookie = login.headers.get("Set-Cookie") ?? "";
      assert.ok(cookie.length <= 4_096, `${cookie.length}`);
      const sent = new URL(login.headers.get("Location") ?? "").searchParams;
      answers.token = {
        access_token: "x",
        token_type: "Bearer",
        id_token: idToken(liar.origin, CLIENT, sent.get("nonce") ?? "", {}),
      };
      const back = new URLSearchParams({ code: "c", iss: liar.origin, state: sent.get("state") ?? "" });
      const response = await jar.fetch(`${service2}/auth/callback?${back.toString()}`);
      assert.match(response.headers.get("Location") ?? "", expected);
    }
  });

  test("losing every group ends personal keys at the next attempt", async () => {
    const sub = "leaver";
    assert.deepEqual(await attempt({ claims: { sub } }), IN);
    assert.deepEqual(await attempt({ claims: { sub, groups: [], email_verified: false } }), NO_ROLE);
    const { users } = await asRoot(service2, "GET", "/users");
    assert.equal(users.find((user: Json) => user["subject"] === sub)["provider_role"], undefined);
  });

  test("rejections are recorded with their reason for admins, without tokens", async () => {
    const { events } = await asRoot(service2, "GET", "/events?type=sign_in_refused.v0");
    assert.ok(events.length > 0 && events.length <= 60);
    assert.ok(events.every((event: Json) => event["object"].reason.length > 5));
    // An id can have the letters of a token's beginning, but no point.
    assert.doesNotMatch(JSON.stringify(events), /eyJ[\w-]*\.|secret of the service/);
  });

  test("a provider that does not answer gives 503 within six seconds", { timeout: 30_000 }, async () => {
    const jar = newJar();
    const login = await jar.fetch(`${service2}/auth/login`);
    const { searchParams } = new URL(login.headers.get("Location") ?? "");
    const address = `${service2}/auth/callback?code=c&state=${searchParams.get("state")}&iss=${encodeURIComponent(liar.origin)}`;
    for (const token of ["never", 500, 502] as const) {
      answers.token = token;
      const cookies = new Map(jar.cookies.get(service2));
      const started = Date.now();
      const response = await jar.fetch(address);
      assert.equal(response.status, 503, await response.text());
      assert.ok(Date.now() - started < 6_000);
      jar.cookies.set(service2, cookies);
    }
  });
});

/** What a page of another origin tries: a script that returns what each attempt gave. @param target the service's origin */
const ATTACKS = (target: string) => `(async (target) => {
        const results = {};
        const attempts = {
          "post without cors": [
            "/ip_policies",
            { method: "POST", mode: "no-cors", credentials: "include", body: "{}" },
          ],
          "post with cors": [
            "/ip_policies",
            {
              method: "POST",
              credentials: "include",
              body: "{}",
              headers: { "Content-Type": "application/json", "Service-Version": "2" },
            },
          ],
          delete: ["/auth/session", { method: "DELETE", credentials: "include" }],
          read: ["/whoami", { credentials: "include", headers: { "Service-Version": "2" } }],
          "read without a preflight": ["/whoami", { credentials: "include" }],
          "sign in": [
            "/auth/key",
            {
              method: "POST",
              credentials: "include",
              body: '{"token":"key-of-the-tests"}',
              headers: { "Content-Type": "application/json" },
            },
          ],
          "sign in without cors": [
            "/auth/key",
            { method: "POST", mode: "no-cors", credentials: "include", body: '{"token":"key-of-the-tests"}' },
          ],
        };
        for (const [name, [path, init]] of Object.entries(attempts))
          results[name] = await fetch(target + path, init).then(
            async (response) =>
              response.type === "opaque" ? "opaque" : response.status + " " + (await response.text()),
            () => "blocked",
          );
        const image = new Image();
        results["image"] = await new Promise((resolve) => {
          image.addEventListener("load", () => resolve("loaded"));
          image.addEventListener("error", () => resolve("blocked"));
          image.src = target + "/whoami";
        });
        return results;
})(${JSON.stringify(target)})`;

/** A script that submits a form, whose body looks like JSON. It ends first: Playwright may wait for one that navigation ends. */
const SUBMIT = (action: string, enctype: string) => `{
  const form = document.createElement("form");
  Object.assign(form, { action: ${JSON.stringify(action)}, method: "post", enctype: ${JSON.stringify(enctype)} });
  const input = document.createElement("input");
  Object.assign(input, { name: '{"token":"key-of-the-tests","description":"', value: '"}' });
  form.append(input);
  document.body.append(form);
  setTimeout(() => form.submit());
}`;

describe("in Chromium", () => {
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return page;
  };

  /** Signs in at the provider by its page. */
  async function signInWith(page: Page, account: string): Promise<void> {
    await page.goto(`${service}/auth/login?return_to=/console`);
    await page.getByRole("link", { name: account }).click();
    await page.waitForURL(`${service}/console`);
  }

  /** Sends a request by a script of the page that is open. */
  const send = (
    page: Page,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Json }> =>
    page.evaluate(
      async ({ method, path, json }) => {
        const headers = { "Service-Version": "2", "Content-Type": "application/json" };
        const response = await fetch(path, { method, headers, ...(json !== undefined && { body: json }) });
        const text = await response.text();
        return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
      },
      { method, path, json: body && JSON.stringify(body) },
    );

  test("a person signs in, works, and signs out; no script sees the session", async () => {
    const page = await newPage();
    await signInWith(page, "ada");
    assert.equal((await send(page, "GET", "/whoami")).body["subject"], "ada@example.com");
    assert.equal((await send(page, "POST", "/ip_policies", { description: "by Ada" })).status, 201);
    assert.equal(await page.evaluate("document.cookie"), "");
    const cookie = (await page.context().cookies()).find(({ name }) => name.startsWith("__Host-"));
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.path],
      ["__Host-edge_session", true, true, "Lax", "/"],
    );
    assert.equal((await send(page, "DELETE", "/auth/session")).status, 200);
    assert.equal((await send(page, "GET", "/whoami")).status, 401);
    await page.context().close();
  });

  test("a key signs in", async () => {
    const page = await newPage();
    await page.goto(`${service}/health`);
    assert.equal((await send(page, "POST", "/auth/key", { token: ROOT })).status, 204);
    assert.equal((await send(page, "GET", "/whoami")).body["kind"], "root");
    await page.context().close();
  });

  test(
    "a page of another port, and of another site, changes and reads nothing",
    { timeout: 60_000 },
    async () => {
      const page = await newPage();
      await signInWith(page, "ada");
      const before = (await asRoot(service, "GET", "/ip_policies"))["ip_policies"].length;
      const session = (await page.context().cookies()).find(
        ({ name }) => name === "__Host-edge_session",
      )?.value;
      stranger.handle((_, response) =>
        response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>"),
      );
      for (const origin of [stranger.origin, stranger.origin.replace("localhost", "127.0.0.1")]) {
        const attacker = await page.context().newPage();
        attacker.setDefaultTimeout(10_000);
        await attacker.goto(origin);
        const results = await attacker.evaluate<Record<string, string>>(ATTACKS(service));
        for (const [name, result] of Object.entries(results))
          assert.match(result, /^(?:blocked|opaque)$/, `${origin}: ${name}`);
        for (const [path, enctype] of [
          ["/ip_policies", "text/plain"],
          ["/ip_policies", "application/x-www-form-urlencoded"],
          ["/transactions", "text/plain"],
          ["/auth/key", "text/plain"],
        ] as const) {
          await attacker.goto(origin);
          const [response] = await Promise.all([
            attacker.waitForResponse(service + path),
            attacker.evaluate(SUBMIT(service + path, enctype)),
          ]);
          assert.ok([401, 403].includes(response.status()), `${origin} ${path}: ${response.status()}`);
          await attacker.waitForURL(service + path);
        }
        // A link brings the cookie along, as it should, but a navigation cannot send the version, and changes nothing.
        await attacker.goto(origin);
        const [visit] = await Promise.all([
          attacker.waitForResponse(`${service}/ip_policies`),
          attacker.evaluate(
            `void setTimeout(() => (location.href = ${JSON.stringify(`${service}/ip_policies`)}))`,
          ),
        ]);
        assert.equal(visit.status(), 400);
        // Chromium may not close a page that is navigating.
        await attacker.waitForURL(`${service}/ip_policies`);
        await attacker.close();
      }
      assert.equal((await asRoot(service, "GET", "/ip_policies"))["ip_policies"].length, before);
      const after = (await page.context().cookies()).find(
        ({ name }) => name === "__Host-edge_session",
      )?.value;
      assert.equal(after, session);
      assert.equal((await send(page, "GET", "/whoami")).status, 200);
      await page.context().close();
    },
  );

  test("a page without a role can be read by a person", async () => {
    const page = await newPage();
    await page.goto(`${service}/auth/login`);
    await page.getByRole("link", { name: "mallory" }).click();
    await page.getByRole("heading", { name: "Not signed in" }).waitFor();
    assert.match((await page.textContent("body")) ?? "", /You have no role here/);
    await page.context().close();
  });
});
