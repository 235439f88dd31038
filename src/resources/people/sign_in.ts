import type { Context } from "hono";
import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { stamp } from "../../../packages/model/src/ids.ts";
import { isPersonRole, type PersonRole } from "../../../packages/model/src/roles.ts";
import { nonEmpty, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { Cause } from "../../db/event_writes.ts";
import { recordRefusal } from "../../db/refusals.ts";
import { noteRecorded } from "../../delivery/notes.ts";
import { countFailure, countSignIn, signingIn } from "../../http/auth.ts";
import { deleteCookie, LOGIN_COOKIE, SESSION_COOKIE, setCookie } from "../../http/cookies.ts";
import type { App, Caller } from "../../http/env.ts";
import { answerError } from "../../http/error_response.ts";
import {
  ApiError,
  noRole,
  notForPeople,
  signInRefused,
  unauthenticated,
  unavailable,
} from "../../http/errors.ts";
import { forgetKey, forgetKeysOf } from "../../http/keys.ts";
import { logFault } from "../../http/log.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { newToken, sha256 } from "../../http/tokens.ts";
import { causeOf, causeOfCaller } from "../../writes/commit.ts";
import { type TokenClaims, roleFor, rulesOf } from "./people_roles.ts";
import { hasProvider, keepLogin, LOGIN_SECONDS, loginOf, providerOf, returnPath } from "./provider.ts";
import {
  endOutdatedSessionsOf,
  endSession,
  insertKeySession,
  insertPersonSession,
  type StoredSession,
  signedIn,
  type StoredUser,
} from "./session_statements.ts";

/*
 * Signing in and out. Every way ends in a session of the service's own, whose token is in a cookie that no script can read.
 */

const SESSION_SECONDS = 8 * 3600;
const DEFAULT_KEY_DAYS = 30;

const Methods = schema("AuthMethods", () => ({
  description: "The ways to sign in.",
  examples: [{ methods: ["key", "oidc"] }],
  type: z.strictObject({
    methods: z
      .array(z.enum(["key", "oidc"]))
      .describe("`key`: with an API key. `oidc`: with the organisation's identity provider."),
  }),
}));

const KeySignIn = schema("KeySignInRequest", () => ({
  examples: [{ token: "<API_KEY>" }],
  type: requestObject({
    token: nonEmpty(1_000).describe("The API key's token, or the operator's key."),
  }),
}));

const SignedOut = schema("SignedOut", () => ({
  description: "The session has ended.",
  examples: [{ logout_uri: null }],
  type: z.strictObject({
    logout_uri: z
      .string()
      .nullable()
      .describe("Where to sign out at the identity provider too; null if there is no such page."),
  }),
}));

const tag = "Sign-in";

/** Ways to sign in, which need no key. */
export const signIn = endpoints()
  .get(
    "/methods",
    operation({
      id: "AuthMethodsGet",
      access: "public",
      summary: "List the ways to sign in",
      description: "Lists the ways to sign in that are configured. Requires no API key.",
      tag,
      isConstant: true,
      status: 200,
      response: Methods,
    }),
    (c) => respond(c, 200, JSON.stringify({ methods: hasProvider(c) ? ["key", "oidc"] : ["key"] })),
  )
  .get("/login", (c) => readably(c, () => login(c)))
  .get("/callback", (c) => readably(c, () => callback(c)))
  .post(
    "/key",
    operation({
      id: "AuthKeySignIn",
      access: "public",
      summary: "Create a session with an API key",
      description:
        "Starts a session for this browser and sets its cookie. The session has the key's role and ends with the key, after eight hours at the latest. Keys with the role `agent` or `metrics` cannot sign in. The request must come from a page of this origin: `Sec-Fetch-Site: same-origin`, or the header `Origin`.",
      tag,
      body: KeySignIn,
      status: 204,
      setsCookie: true,
      errors: [
        "ERR_ADDRESS_NOT_ALLOWED",
        "ERR_UNAUTHENTICATED",
        "ERR_CROSS_SITE",
        "ERR_FORBIDDEN",
        "ERR_RATE_LIMITED",
        "ERR_UNAVAILABLE",
      ],
    }),
    (c) => keySignIn(c, c.req.valid("json").token),
  );

/** Signing out, which needs a session. */
export const signOut = endpoints().delete(
  "/",
  operation({
    id: "AuthSessionDelete",
    access: "any",
    summary: "Delete the session of this browser",
    description:
      "Ends the session of this browser and deletes its cookie. A request with an API key has no session and gets 401.",
    tag,
    status: 200,
    isUnversioned: true,
    setsCookie: true,
    response: SignedOut,
  }),
  async (c) => {
    const { caller, session, origin } = c.get("request");
    if (!caller?.session) throw unauthenticated();
    const { id } = caller.session;
    await session.batch(endSession(id, causeOf(c))).finally(() => forgetKey(id));
    noteRecorded(["session_deleted.v0"]);
    const isPerson = caller.keyId === caller.ownerId;
    const uri =
      isPerson && hasProvider(c)
        ? await (await client()).logoutUri(providerOf(c), `${origin}/console`, clock.now())
        : undefined;
    const body = { logout_uri: uri ?? null } satisfies z.output<typeof SignedOut>;
    return respond(c, 200, JSON.stringify(body), { "Set-Cookie": deleteCookie(SESSION_COOKIE) });
  },
);

/** The client of the identity provider, which is loaded only when somebody signs in. */
const client = () => import("./oidc_client.ts");

/** Sends the browser to the identity provider. @throws 404 if none is configured; 429; 503 if it does not answer */
async function login(c: Context<App>): Promise<Response> {
  const provider = providerOf(c);
  await countSignIn(c, "begin");
  const now = clock.now();
  const outcome = await (await client()).begin(provider, now);
  if ("failed" in outcome) throw unreachable(c, outcome.reason);
  const { url, begun } = outcome.value;
  const return_to = returnPath(c.req.query("return_to"), c.get("request").origin);
  const cookie = await keepLogin(c, { ...begun, return_to, expires_at: now + LOGIN_SECONDS * 1000 });
  return respond(c, 303, null, { Location: url, "Set-Cookie": cookie, ...NO_REFERRER });
}

/** The address has the provider's code in it, which no other site must learn. */
const NO_REFERRER = { "Referrer-Policy": "no-referrer" };

/** Completes a sign-in at the identity provider: starts a session and sends the browser to the console. */
async function callback(c: Context<App>): Promise<Response> {
  const provider = providerOf(c);
  const now = clock.now();
  const { return_to, ...begun } = await loginOf(c, now).catch(async (error: unknown) => {
    await countFailure(c);
    throw error;
  });
  // A login cookie is good for ten minutes, and each callback with it asks the provider.
  await countSignIn(c, "complete");
  const outcome = await (await client()).complete(provider, new URL(c.req.url), begun, now);
  if ("failed" in outcome) {
    if (outcome.failed === "unreachable") throw unreachable(c, outcome.reason);
    throw await refused(c, "oidc", outcome.reason, signInRefused());
  }
  const user = await arrive(c, provider.issuer, outcome.value);
  if (!user.role) throw await refused(c, "oidc", user.reason, noRole(user.reason));
  const { role, row } = user;
  const subject = subjectOf(row);
  const caller = { keyId: row.id, ownerId: row.id, role, subject, expiresAt: null };
  const cookie = await startSession(c, { user_id: row.id, role }, caller);
  if (cookie === undefined)
    throw await refused(c, "oidc", "deactivated while signing in", noRole("an admin has deactivated you"));
  const response = respond(c, 303, null, { Location: return_to, ...NO_REFERRER });
  response.headers.append("Set-Cookie", cookie);
  response.headers.append("Set-Cookie", deleteCookie(LOGIN_COOKIE));
  return response;
}

const unreachable = (c: Context<App>, reason: string): ApiError => {
  logFault(c.get("request").operationId, "The identity provider does not answer.", reason);
  return unavailable("The identity provider does not answer.", 5);
};

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, 255).toWellFormed() : null;

/** How events name a person. */
const subjectOf = ({ email, name, subject }: StoredUser): string => email ?? name ?? subject;

/**
 * Inserts or updates the person whom the provider's claims describe, with the role that they give. Sessions with another role
 * end.
 */
async function arrive(
  c: Context<App>,
  issuer: string,
  claims: TokenClaims,
): Promise<{ role: PersonRole; row: StoredUser } | { role?: undefined; reason: string }> {
  const { session, operationId } = c.get("request");
  const rules = rulesOf(c.env.PEOPLE_ROLES);
  const days = keyDays(c);
  if (!rules || days === undefined) {
    const name = rules ? "PERSONAL_KEY_DAYS" : "PEOPLE_ROLES";
    logFault(operationId, `${name} is malformed: nobody can sign in.`, undefined, "alert");
    return { reason: `${name} is malformed` };
  }
  const found = roleFor(claims, rules, c.env.OIDC_GROUPS_CLAIM || "groups");
  const now = clock.now();
  const arriving: StoredUser = {
    ...stamp("user"),
    issuer,
    subject: String(claims["sub"]),
    email: textOf(claims["email"]),
    name: textOf(claims["name"]),
    role: null,
    provider_role: "role" in found ? found.role : null,
    active: true,
    last_seen_at: timestamp(now),
    keys_expire_at: timestamp(now + days * 86_400_000),
  };
  const statement = signedIn(arriving);
  const ending = endOutdatedSessionsOf({ issuer, subject: arriving.subject }, signInCause(c, now));
  const [[row] = [], , ended = []] = await session.batch([statement, ...ending]);
  if (ended.length > 0) noteRecorded(["session_deleted.v0"]);
  const user = row && statement.decode(row);
  if (user) forgetKeysOf(user.id);
  const role = user?.role ?? user?.provider_role;
  if (user && role) return { role, row: user };
  return { reason: "role" in found ? "an admin has deactivated this person" : found.reason };
}

/** `PERSONAL_KEY_DAYS`; undefined if it is malformed. */
function keyDays({ env: { PERSONAL_KEY_DAYS: text } }: Context<App>): number | undefined {
  if (!text) return DEFAULT_KEY_DAYS;
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

async function keySignIn(c: Context<App>, token: string): Promise<Response> {
  await countSignIn(c, "begin");
  const { caller, rootDigest } = await signingIn(c, token).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === "ERR_UNAUTHENTICATED")
      await record(c, "key", "unknown, expired or revoked key");
    throw error;
  });
  if (!isPersonRole(caller.role)) {
    const forbidden = notForPeople("Keys with the role agent or metrics cannot sign in.");
    throw await refused(c, "key", `role ${caller.role}`, forbidden);
  }
  const own = rootDigest === null ? { key_id: caller.keyId } : { root_sha256: rootDigest };
  const cookie = await startSession(c, own, caller);
  if (cookie === undefined) throw unauthenticated();
  return respond(c, 204, null, { "Set-Cookie": cookie });
}

/** Starts a session; returns its `Set-Cookie` header, undefined if the person may no longer sign in. */
async function startSession(
  c: Context<App>,
  own: Partial<StoredSession>,
  caller: Pick<Caller, "keyId" | "ownerId" | "subject" | "expiresAt">,
): Promise<string | undefined> {
  const now = clock.now();
  const identity = stamp("session");
  const token = newToken(identity.id);
  const latest = timestamp(now + SESSION_SECONDS * 1000);
  const { expiresAt } = caller;
  const expires_at = expiresAt !== null && expiresAt < latest ? expiresAt : latest;
  const unset = { user_id: null, key_id: null, root_sha256: null, role: null };
  const row: StoredSession = { ...identity, ...unset, ...own, token_sha256: await sha256(token), expires_at };
  const cause = causeOfCaller(c, { ...caller, session: { id: row.id, expiresAt: expires_at } });
  const insert = row.user_id === null ? insertKeySession : insertPersonSession;
  const [inserted = []] = await c.get("request").session.batch(insert(row, cause));
  if (row.user_id !== null && inserted.length === 0) return undefined;
  noteRecorded(["session_created.v0"]);
  return setCookie(SESSION_COOKIE, token, Math.floor((Date.parse(expires_at) - now) / 1000));
}

/** The error for a rejected sign-in, after it was counted, logged and recorded. @throws 429 over the limit */
async function refused(c: Context<App>, way: string, reason: string, error: ApiError): Promise<ApiError> {
  await countFailure(c);
  await record(c, way, reason);
  return error;
}

/** Logs and records a rejected sign-in. */
async function record(c: Context<App>, way: string, reason: string): Promise<void> {
  const { operationId, session } = c.get("request");
  logFault(operationId, `A sign-in was rejected (${way}).`, reason);
  const { id } = stamp("sign_in");
  const rows = await session.batch(
    recordRefusal("sign_in", { id, way, reason }, signInCause(c, clock.now())),
  );
  if (rows.at(-1)?.length) noteRecorded(["sign_in_refused.v0"]);
}

/** The cause of what signing in changes before there is a session. */
function signInCause(c: Context<App>, at: number): Cause {
  const { operationId, origin } = c.get("request");
  const principal = { id: "system", subject: "sign-in", source: "System", credential: null } as const;
  return { at, operation_id: operationId, principal, origin };
}

/** Answers errors with a page that a person can read, if a browser asks for one. */
async function readably(c: Context<App, string>, respondTo: () => Promise<Response>): Promise<Response> {
  try {
    return await respondTo();
  } catch (error) {
    const response = answerError(error instanceof Error ? error : new Error("unknown"), c);
    if (!/\btext\/html\b/.test(c.req.header("Accept") ?? "")) return response;
    const { msg, details } = ErrorText.parse(await response.json());
    const headers = new Headers(response.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(page(msg, details.operation_id), { status: response.status, headers });
  }
}

const ErrorText = z.lazy(() =>
  z.object({ msg: z.string(), details: z.object({ operation_id: z.string() }) }),
);

/** A page without styles and scripts. Neither text comes from the request. */
const page = (msg: string, operationId: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not signed in</title>
<h1>Not signed in</h1>
<p>${msg}</p>
<p><a href="/auth/login">Sign in again</a> · <a href="/console">Back to the console</a></p>
<p>Operation: ${operationId}</p>
</html>
`;
