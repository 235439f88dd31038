import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openIssuer } from "../../src/issuing/issuer_secrets.ts";
import { create, del, get, ORIGIN, outcome, patch, post } from "../support/api.ts";
import * as given from "../support/given.ts";
import { noteRegistration, storedIssuer } from "../support/issuers.ts";
import type { Json } from "../support/json.ts";
import { toDelete, toPatch, toPost } from "../support/operations.ts";
import { empty, stored } from "../support/stored.ts";
import { newest, refused, undone } from "../support/undoing.ts";

const PATH = "/certificate_issuers";

/** The least that an issuer needs. */
const LEAST = {
  directory_url: "https://acme.example.com/directory",
  terms_of_service_agreed: true,
  hosts: ["shop.example.com"],
};

/** A key that no response may show. */
const HMAC_KEY = btoa(given.SECRET).replaceAll("=", "");
const external_account = { key_id: "kid-1", hmac_key: HMAC_KEY };
const shownAccount = { key_id: "kid-1", hmac_key: null };

const thumbprintOf = ({ crv, kty, x, y }: Json): string =>
  createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");

beforeEach(() => empty());
afterEach(() => {
  vi.restoreAllMocks();
});

test("is shown with the thumbprint of a key of its own, which signs", async () => {
  const [issuer, other] = [await given.issuer(), await given.issuer()];
  expect(issuer).toEqual({
    id: expect.stringMatching(/^ci_[0-9A-Za-z]{27}$/),
    uri: `${ORIGIN}${PATH}/${issuer["id"]}`,
    created_at: expect.any(String),
    ...LEAST,
    contact: null,
    agents: ["*"],
    external_account: null,
    thumbprint: expect.stringMatching(/^[\w-]{43}$/),
    account_uri: null,
    caa: null,
    last_error: null,
  });
  expect((await get(issuer["uri"])).body).toEqual(issuer);
  expect((await get(PATH)).body).toEqual({
    certificate_issuers: [other, issuer],
    uri: `${ORIGIN}${PATH}`,
    next_page_uri: null,
  });
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  for (const { id, thumbprint } of [issuer, other]) {
    const { accountKey, externalAccount } = await openIssuer(env, await storedIssuer(id));
    expect(externalAccount).toBeNull();
    expect(Object.keys(accountKey)).toEqual(["crv", "d", "kty", "x", "y"]);
    expect(thumbprintOf(accountKey)).toBe(thumbprint);
    await expect(
      crypto.subtle.importKey("jwk", accountKey, algorithm, false, ["sign"]),
    ).resolves.toBeDefined();
  }
  expect(issuer["thumbprint"]).not.toBe(other["thumbprint"]);
});

test("has every field that it is created with, and lists are found by metadata", async () => {
  const whole = {
    ...LEAST,
    description: "Let's Encrypt",
    metadata: "le",
    contact: ["mailto:ops@example.com", "mailto:a.b+c@example.org"],
    hosts: ["shop.example.com", "*.apps.example.com", "*.internal", "xn--bcher-kva.example.com", "*"],
    agents: ["lisbon-1", "0"],
    external_account,
  };
  const issuer = await create(PATH, whole);
  expect(issuer).toMatchObject({ ...whole, external_account: shownAccount });
  await given.issuer();
  expect((await get(`${PATH}?metadata=le`)).body["certificate_issuers"]).toEqual([issuer]);
});

test("PATCH changes some fields; [], {} and an empty string unset them", async () => {
  const whole = {
    contact: ["mailto:ops@example.com"],
    agents: ["lisbon-1"],
    description: "x",
    external_account,
  };
  const issuer = await given.issuer(whole);
  const hosts = ["*.example.com"];
  const changed = await patch(issuer["uri"], { hosts, agents: ["porto-1"], terms_of_service_agreed: true });
  expect(changed.body).toEqual({ ...issuer, hosts, agents: ["porto-1"] });
  const { externalAccount } = await openIssuer(env, await storedIssuer(issuer["id"]));
  expect(externalAccount).toEqual(external_account);
  const { body } = await patch(issuer["uri"], {
    contact: [],
    agents: ["*"],
    description: "",
    external_account: {},
  });
  const { description: _, ...rest } = issuer;
  expect(body).toEqual({ ...rest, hosts, contact: null, agents: ["*"], external_account: null });
  expect((await storedIssuer(issuer["id"])).external_account).toBeNull();
});

test("an external account is replaced as a whole", async () => {
  const { id, uri } = await given.issuer({ external_account });
  const other = { key_id: "kid-2", hmac_key: "b3RoZXI" };
  expect((await patch(uri, { external_account: other })).body["external_account"]).toEqual({
    key_id: "kid-2",
    hmac_key: null,
  });
  expect((await openIssuer(env, await storedIssuer(id))).externalAccount).toEqual(other);
});

const long = (bytes: number): string => `${"a".repeat(63)}.`.repeat(4).slice(0, bytes - 4) + ".com";

test.each<[path: string, wrong: Json]>([
  ["/directory_url", { directory_url: undefined }],
  ["/directory_url", { directory_url: "" }],
  ["/directory_url", { directory_url: "http://acme.example.com/directory" }],
  ["/directory_url", { directory_url: "https://127.0.0.1/directory" }],
  ["/directory_url", { directory_url: "https://localhost:14000/dir" }],
  ["/directory_url", { directory_url: "https://acme.internal/directory" }],
  ["/directory_url", { directory_url: "https://acme.example.com:22/" }],
  ["/directory_url", { directory_url: "https://user:pw@acme.example.com/" }],
  ["/directory_url", { directory_url: "https://api.test/directory" }],
  ["/contact", { contact: "mailto:a@example.com" }],
  ["/contact/0", { contact: ["a@example.com"] }],
  ["/contact/0", { contact: ["tel:+351210000000"] }],
  ["/contact/0", { contact: ["mailto:a@example.com,b@example.com"] }],
  ["/contact/0", { contact: ["mailto:a@example.com?subject=x"] }],
  ["/contact/0", { contact: ["mailto:@example.com"] }],
  ["/contact/0", { contact: ["mailto:a@"] }],
  ["/contact/0", { contact: ["mailto:a@b@example.com"] }],
  ["/contact/0", { contact: ["mailto:á@example.com"] }],
  ["/contact/0", { contact: [`mailto:${"a".repeat(260)}@example.com`] }],
  ["/contact/1", { contact: ["mailto:a@example.com", "mailto:a@example.com"] }],
  ["/contact", { contact: Array.from({ length: 11 }, (_, i) => `mailto:${i}@example.com`) }],
  ["/terms_of_service_agreed", { terms_of_service_agreed: undefined }],
  ["/terms_of_service_agreed", { terms_of_service_agreed: false }],
  ["/terms_of_service_agreed", { terms_of_service_agreed: "true" }],
  ["/hosts", { hosts: undefined }],
  ["/hosts", { hosts: [] }],
  ["/hosts/1", { hosts: ["shop.example.com", "shop.example.com"] }],
  ["/hosts/0", { hosts: ["Shop.example.com"] }],
  ["/hosts/0", { hosts: ["bücher.example.com"] }],
  ["/hosts/0", { hosts: ["shop.example.com."] }],
  ["/hosts/0", { hosts: ["shop"] }],
  ["/hosts/0", { hosts: ["192.0.2.1"] }],
  ["/hosts/0", { hosts: ["*.192.0.2.1"] }],
  ["/hosts/0", { hosts: ["[2001:db8::1]"] }],
  ["/hosts/0", { hosts: ["a_b.example.com"] }],
  ["/hosts/0", { hosts: ["-a.example.com"] }],
  ["/hosts/0", { hosts: ["a..example.com"] }],
  ["/hosts/0", { hosts: ["a*.example.com"] }],
  ["/hosts/0", { hosts: ["*.*.example.com"] }],
  ["/hosts/0", { hosts: ["**"] }],
  ["/hosts/0", { hosts: ["*."] }],
  ["/hosts/0", { hosts: ["shop.example.com:443"] }],
  ["/hosts/0", { hosts: ["shop.example.com\n"] }],
  ["/hosts/0", { hosts: [long(254)] }],
  ["/hosts", { hosts: Array.from({ length: 101 }, (_, i) => `h${i}.example.com`) }],
  ["/agents/0", { agents: ["Lisbon"] }],
  ["/agents/0", { agents: [""] }],
  ["/agents/0", { agents: ["a".repeat(64)] }],
  ["/agents/0", { agents: ["**"] }],
  // Somebody may mean "none".
  ["/agents", { agents: [] }],
  ["/agents/2", { agents: ["a", "b", "a"] }],
  ["/agents", { agents: Array.from({ length: 101 }, (_, i) => `a${i}`) }],
  ["/external_account", { external_account: { key_id: "kid" } }],
  ["/external_account", { external_account: { hmac_key: HMAC_KEY } }],
  ["/external_account/key_id", { external_account: { key_id: "", hmac_key: HMAC_KEY } }],
  ["/external_account/key_id", { external_account: { key_id: "é".repeat(501), hmac_key: HMAC_KEY } }],
  ["/external_account/hmac_key", { external_account: { key_id: "kid", hmac_key: "" } }],
  ["/external_account/hmac_key", { external_account: { key_id: "kid", hmac_key: `${HMAC_KEY}=` } }],
  ["/external_account/hmac_key", { external_account: { key_id: "kid", hmac_key: `${HMAC_KEY}+/` } }],
  ["/external_account/hmac_key", { external_account: { key_id: "kid", hmac_key: `${HMAC_KEY}abc` } }],
  ["/external_account/hmac_key", { external_account: { key_id: "kid", hmac_key: "a".repeat(1_001) } }],
  ["/external_account/kid", { external_account: { ...external_account, kid: "x" } }],
  ["/account_key", { account_key: "{}" }],
  ["/thumbprint", { thumbprint: "x" }],
  ["/account_uri", { account_uri: "https://acme.example.com/acct/1" }],
])("a body is rejected at %s, and nothing is quoted (%#)", async (path, wrong) => {
  const answer = await post(PATH, { ...LEAST, ...wrong });
  expect([answer.status, answer.body["error_code"]]).toEqual([400, "ERR_INVALID_REQUEST"]);
  const blamed = answer.body["errors"].map((error: Json) => error["path"]);
  expect([...new Set(blamed)]).toEqual([path]);
  expect(answer.text).not.toContain(HMAC_KEY);
  expect((await get(PATH)).body["certificate_issuers"]).toEqual([]);
});

test("hosts and names can be as long as they may be", async () => {
  expect(long(253)).toHaveLength(253);
  const hosts = [long(253), ...Array.from({ length: 99 }, (_, i) => `*.h${i}.example.com`)];
  const agents = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(63, "a"));
  expect(await given.issuer({ hosts, agents })).toMatchObject({ hosts, agents });
});

test("the error for terms that nobody agreed to says what agreement means", async () => {
  const { body } = await post(PATH, { ...LEAST, terms_of_service_agreed: false });
  expect(body["errors"]).toEqual([
    {
      path: "/terms_of_service_agreed",
      msg: expect.stringContaining("agree to the authority's terms of service"),
    },
  ]);
});

test("the directory cannot be changed", async () => {
  const { uri } = await given.issuer();
  const answer = await patch(uri, { directory_url: "https://other.example.com/directory" });
  expect(outcome(answer)).toBe("400 ERR_INVALID_REQUEST /directory_url");
});

test("the operator can allow hosts that are not public, and malformed settings store nothing", async () => {
  const body = { ...LEAST, directory_url: "https://pebble.internal:14000/dir" };
  const allowing = (ALLOWED_TARGET_HOSTS: string) => post(PATH, body, { env: { ALLOWED_TARGET_HOSTS } });
  expect(outcome(await allowing("other.internal"))).toBe("400 ERR_INVALID_REQUEST /directory_url");
  expect((await allowing("pebble.internal")).status).toBe(201);
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(outcome(await allowing("127.0.0.1"))).toBe("503 ERR_UNAVAILABLE");
});

test("without a sealing key, nothing is stored; an issuer can be read, and changed except for its account", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { uri } = await given.issuer();
  const options = { env: { SEALING_KEYS: undefined } };
  expect(outcome(await post(PATH, LEAST, options))).toBe("503 ERR_UNAVAILABLE");
  expect(outcome(await patch(uri, { external_account }, options))).toBe("503 ERR_UNAVAILABLE");
  expect((await patch(uri, { description: "x" }, options)).status).toBe(200);
  expect((await get(uri, options)).status).toBe(200);
});

test("the CAA record names the account and the authority, once both are known", async () => {
  const { id, uri } = await given.issuer();
  const account_uri = "https://acme.example.com/acct/1";
  await noteRegistration(id, { account_uri, caa_identities: null, last_error: "The terms have changed." });
  const issuer = await get(uri);
  expect(issuer.body).toMatchObject({ account_uri, caa: null, last_error: "The terms have changed." });
  expect(issuer.headers.get("ETag")).toMatch(/-2"$/);
  await noteRegistration(id, { caa_identities: ["ca.example.com", "ca.example.net"], last_error: null });
  expect((await get(uri)).body).toMatchObject({
    caa: `0 issue "ca.example.com; accounturi=${account_uri}; validationmethods=http-01"`,
    last_error: null,
  });
  const [event] = await newest();
  expect(event).toMatchObject({
    event_type: "certificate_issuer_updated.v0",
    principal: { id: "system", source: "System" },
    object: { id, account_uri, caa: expect.stringContaining("ca.example.com") },
  });
});

describe("secrets", () => {
  /** Everything that is stored, as text. */
  const everything = async (): Promise<string> => JSON.stringify(await stored());

  test("are in no response, event, plan, record or line of the log", async () => {
    const lines: unknown[] = [];
    for (const level of ["debug", "log", "info", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...args) => void lines.push(args));
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { ...LEAST, external_account };
    const made = await post(PATH, body, { headers });
    const again = await post(PATH, body, { headers });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(made.body);
    const { id, uri } = made.body;
    const operations = [toPost(PATH, body), toPatch(`${PATH}/${id}`, { external_account })];
    const plan = await post("/plans", { operations });
    expect(plan.status, plan.text).toBe(201);
    const answers = [
      made,
      again,
      await get(uri),
      await get(PATH),
      await patch(uri, { external_account }),
      plan,
      await get(plan.body["uri"]),
      await post("/previews", { operations }),
      await post("/transactions", { operations }),
      await post("/transactions", { operations, dry_run: true }),
      await post(PATH, { ...body, nonsense: HMAC_KEY }),
      await post(PATH, { ...LEAST, external_account: { key_id: 1, hmac_key: HMAC_KEY } }),
      await post(PATH, { ...LEAST, hosts: [HMAC_KEY] }),
      await get("/issuing"),
      await get("/snapshot"),
      await get("/problems"),
      await del(uri),
      await get("/events?limit=100"),
      await post("/sealed_secrets/reseal", {}),
    ];
    expect((await get(PATH)).body["certificate_issuers"]).toHaveLength(1);
    const [left] = (await get(PATH)).body["certificate_issuers"];
    const { accountKey, externalAccount } = await openIssuer(env, await storedIssuer(left.id));
    expect(externalAccount).toEqual(external_account);
    const text = [await everything(), JSON.stringify(lines), ...answers.map((answer) => answer.text)].join();
    for (const secret of [HMAC_KEY, given.SECRET, accountKey.d ?? "no key", 'account_key":"{', '"d":'])
      expect(text).not.toContain(secret);
    // Only their own columns and the plan have them, sealed.
    const { certificate_issuers: _, plans: __, ...others } = await stored();
    expect(JSON.stringify(others)).not.toContain("sealed.");
    for (const { text: shown } of answers) expect(shown).not.toContain("sealed.");
  });

  test("are bound to their issuer and their field", async () => {
    const [one, two] = [await given.issuer({ external_account }), await given.issuer({ external_account })];
    const [first, second] = [await storedIssuer(one["id"]), await storedIssuer(two["id"])];
    for (const moved of [
      { ...first, account_key: second.account_key },
      { ...first, external_account: second.external_account },
      { ...first, account_key: first.external_account?.hmac_key ?? "" },
    ])
      await expect(openIssuer(env, moved)).rejects.toThrow();
    await expect(openIssuer({ ...env, SEALING_KEYS: "" }, first)).rejects.toThrow("no valid sealing keys");
  });

  test("that a change sets are named by its event", async () => {
    const hmac_key = ["/external_account/hmac_key"];
    const { uri } = await given.issuer({ external_account });
    const named = async () => (await newest())[0]?.["secrets_changed"];
    expect(await named()).toEqual(hmac_key);
    for (const [body, secrets] of [
      [{ description: "x" }, []],
      [{ external_account }, hmac_key],
      [{ external_account: {} }, []],
    ] as const) {
      await patch(uri, body);
      expect(await named()).toEqual(secrets);
    }
  });
});

describe("events", () => {
  test("show each change of an issuer", async () => {
    const issuer = await given.issuer({ external_account });
    await patch(issuer["uri"], { agents: ["lisbon-1"] });
    await del(issuer["uri"]);
    const [deleted, updated, created] = await newest(3);
    const { created_at, ...shown } = issuer;
    expect(created).toMatchObject({
      event_type: "certificate_issuer_created.v0",
      object: { ...shown, created_at },
    });
    expect(updated).toMatchObject({
      event_type: "certificate_issuer_updated.v0",
      object: { ...shown, agents: ["lisbon-1"] },
    });
    expect(deleted).toMatchObject({
      event_type: "certificate_issuer_deleted.v0",
      object: { id: issuer["id"] },
    });
  });

  test("can be subscribed to", async () => {
    const sources = [{ type: "certificate_issuer_updated.v0" }];
    expect((await given.subscription({ sources }))["sources"]).toMatchObject(sources);
  });
});

test("what agents asked an issuer for is deleted with it, and nothing else", async () => {
  const [gone, kept] = [await given.issuer(), await given.issuer()];
  const order = (agent: string, issuer: Json) =>
    env.DB.prepare(
      "insert into certificate_orders (agent, host, issuer_id, csr, key_id, state, asked_at) values (?, 'a', ?, '', '', 'pending', 0)",
    ).bind(agent, issuer["id"]);
  await env.DB.batch([order("a", gone), order("b", gone), order("c", kept)]);
  expect((await del(gone["uri"])).cost.rowsWritten).toBe(1 + 2 + 2);
  const { certificate_orders: left = [] } = await stored(["certificate_orders"]);
  expect(left.map(({ agent }) => agent)).toEqual(["c"]);
});

describe("requests that race", () => {
  test("only one of two changes with the same ETag takes effect", async () => {
    const { uri } = await given.issuer();
    const headers = { "If-Match": (await get(uri)).headers.get("ETag") ?? "" };
    const answers = await Promise.all(
      ["a", "b"].map((description) => patch(uri, { description }, { headers })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await get(uri)).body).toEqual(winner?.body);
    const unchanged = await get(uri, { headers: { "If-None-Match": winner?.headers.get("ETag") ?? "" } });
    expect(unchanged.status).toBe(304);
  });

  test("repeated creations make one issuer with one key", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(PATH, LEAST, { headers })));
    const thumbprints = new Set(answers.map(({ body }) => body["thumbprint"]));
    expect(thumbprints.size).toBe(1);
    expect((await get(PATH)).body["certificate_issuers"]).toHaveLength(1);
  });

  test("a change and a deletion", async () => {
    const { uri } = await given.issuer();
    const [changed, deleted] = await Promise.all([patch(uri, { description: "x" }), del(uri)]);
    expect(deleted.status).toBe(204);
    expect([200, 404]).toContain(changed.status);
    expect((await get(uri)).status).toBe(404);
  });
});

describe("in transactions and plans", () => {
  test("only an admin can change issuers", async () => {
    const { id } = await given.issuer();
    const operations = [toPatch(`${PATH}/${id}`, { description: "x" })];
    for (const role of ["planner", "editor"]) {
      const { token } = await given.key({ role });
      expect(outcome(await post("/plans", { operations }, { token }))).toBe("403 ERR_FORBIDDEN");
      expect((await post("/transactions", { operations }, { token })).status).toBe(403);
    }
    const plan = await post("/plans", { operations });
    const { token } = await given.key({ role: "editor" });
    const headers = { "If-Match": plan.headers.get("ETag") ?? "" };
    expect((await post(`${plan.body["uri"]}/apply`, undefined, { token, headers })).status).toBe(403);
    expect((await post(`${plan.body["uri"]}/apply`, undefined, { headers })).status).toBe(200);
    expect((await get(`${PATH}/${id}`)).body).toMatchObject({ description: "x" });
  });

  test("a plan says that nobody newly gets in, and shows no key that is made later", async () => {
    const edge = await given.httpsEdge();
    const operations = [
      toPost(PATH, { ...LEAST, external_account }, { name: "issuer" }),
      toPatch(`${PATH}/$issuer`, { agents: ["lisbon-1"] }),
      toPatch(`/edges/https/${edge["id"]}`, { description: "x" }),
    ];
    const made = await post("/plans", { operations });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      summary: "Nobody newly gets in, and no source is shut out.",
      warnings: [],
      operations: [{ body: { ...LEAST, external_account: { key_id: "kid-1" } } }, {}, {}],
      changes: [
        { status: 201, after: { ...LEAST, external_account: shownAccount } },
        { before: { agents: ["*"] }, after: { agents: ["lisbon-1"] } },
        {},
      ],
    });
    expect(made.body["changes"][0].after).not.toHaveProperty("thumbprint");
    const headers = { "If-Match": made.headers.get("ETag") ?? "" };
    const applied = await post(`${made.body["uri"]}/apply`, undefined, { headers });
    const [{ body }] = applied.body["results"];
    expect((await openIssuer(env, await storedIssuer(body.id))).externalAccount).toEqual(external_account);
    expect((await get(body.uri)).body).toMatchObject({ agents: ["lisbon-1"], thumbprint: body.thumbprint });
  });

  test("creations, changes and deletions can be undone, even if the account was registered since", async () => {
    const made = await post(PATH, LEAST);
    const { id, uri } = made.body;
    const noted = { account_uri: "https://acme.example.com/acct/1", caa_identities: ["ca.example.com"] };
    await noteRegistration(id, noted);
    const changed = await patch(uri, { agents: ["lisbon-1"], contact: ["mailto:ops@example.com"] });
    await noteRegistration(id, { last_error: "Rejected." });
    await noteRegistration(id, { last_error: null });
    expect(await undone(changed)).toEqual([toPatch(`${PATH}/${id}`, { agents: ["*"], contact: [] })]);
    expect((await get(uri)).body).toMatchObject({
      ...made.body,
      account_uri: noted.account_uri,
      caa: expect.any(String),
    });
    const deleted = await del(uri);
    expect(await undone(deleted)).toEqual([
      toPost(PATH, { ...LEAST, agents: ["*"] }, { name: "restored_1" }),
    ]);
    const [restored] = (await get(PATH)).body["certificate_issuers"];
    expect(restored).toMatchObject({ ...LEAST, account_uri: null });
    expect(restored.thumbprint).not.toBe(made.body["thumbprint"]);
    const other = await post(PATH, LEAST);
    await noteRegistration(other.body["id"], noted);
    expect(await undone(other)).toEqual([toDelete(`${PATH}/${other.body["id"]}`)]);
  });

  test("a change by somebody else since prevents an undo, even after the registration", async () => {
    const { id, uri } = await given.issuer();
    const changed = await patch(uri, { agents: ["lisbon-1"] });
    await noteRegistration(id, { account_uri: "https://acme.example.com/acct/1" });
    await patch(uri, { agents: ["porto-1"] });
    expect(await refused(changed)).toContain("has changed since");
  });

  test("what the service noted is nothing to undo", async () => {
    const { id } = await given.issuer();
    await noteRegistration(id, { account_uri: "https://acme.example.com/acct/1" });
    const [event] = await newest();
    expect(await refused([event?.["event_id"]])).toContain("There is nothing to undo");
  });

  test("what set a secret cannot be undone, nor what removed one", async () => {
    const { uri } = await given.issuer();
    const secret = "/external_account/hmac_key";
    expect(await refused(await patch(uri, { external_account }))).toContain(
      `it changed the secret ${secret},`,
    );
    expect(await refused(await patch(uri, { external_account: {} }))).toContain(
      `it needs the secret ${secret},`,
    );
    await patch(uri, { external_account });
    expect(await refused(await del(uri))).toContain(`it needs the secret ${secret},`);
  });
});
