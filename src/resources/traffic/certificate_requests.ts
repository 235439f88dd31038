import type { Context } from "hono";
import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import {
  CHALLENGE_PATH,
  CSR_LENGTH,
  issuerFor,
  requestStates,
  type CertificateProgress,
} from "../../../packages/model/src/traffic/issuing.ts";
import {
  CERTIFICATE_HOST,
  CERTIFICATE_HOST_LENGTH,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { AGENT_NAME } from "../../../packages/model/src/values/agent_names.ts";
import { nonEmpty, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { settingsFor } from "../../delivery/settings.ts";
import type { App } from "../../http/env.ts";
import {
  agentNotFound,
  agentRefused,
  invalidMembers,
  noIssuer,
  notOrdered,
  unauthenticated,
  unavailable,
} from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { readRequest } from "../../issuing/csr.ts";
import {
  forgetRequests,
  isAsked,
  readAsked,
  renew,
  storeRow,
  type Asked,
} from "../../issuing/order_statements.ts";
import { type AgentRequest, decide, isNoted, progressOf, WAITING } from "../../issuing/requests.ts";
import { performStep } from "../../issuing/steps.ts";
import { causeOf, commit } from "../../writes/commit.ts";
import { authorized } from "../../writes/requirements.ts";

/*
 * What agents ask the service to order: one certificate for each agent and host. Each request makes at most one step of the order.
 */

/** A request for a certificate of shop.example.com. */
const EXAMPLE =
  "MIHoMIGQAgEAMAAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARETvB0BbecFLeXheXpITYtiEZwFNifoJrvTvr-GA9QdOig_uk3cb8NYDEunu7bDMDImzqCD9y8qGlqFEPvcxsboC4wLAYJKoZIhvcNAQkOMR8wHTAbBgNVHREEFDASghBzaG9wLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0cAMEQCIEnwI7_Rk1sITBLN5PhnYFPuT2E99SFw9NXg-EpR9IqDAiBNjwlTxzYAeJdaaWmgIWBey9XwvyJ7qGomVARGUJ-Mew";

const CertificateRequest = schema("CertificateRequest", () => ({
  description: "A request for a certificate.",
  examples: [{ csr: EXAMPLE }],
  type: requestObject({
    csr: nonEmpty(CSR_LENGTH)
      .regex(/^[\w-]+$/, "Expected base64url without padding.")
      .describe(
        "The request (PKCS #10, RFC 2986) in DER, in base64url without padding: for a key of P-256, with the host as its only subject alternative name, signed with SHA-256.",
      ),
  }),
}));

const CertificateProgressShown = schema("CertificateProgress", () => ({
  description: "How far the order of a certificate is.",
  examples: [{ state: "pending", retry_after: 1, chain: null, last_error: null, renews_at: null }],
  type: z.strictObject({
    state: z
      .enum(requestStates)
      .describe(
        "`pending`: the order is in progress; `issued`: the certificate is there; `failing`: the last attempt failed, and another follows; `paused`: after five rejections, no attempt follows until the issuer or an edge with the host changes, or `POST /certificates/{host}/renew`.",
      ),
    retry_after: z
      .number()
      .describe("In how many seconds to send the same request again, which makes the next step."),
    chain: z
      .string()
      .nullable()
      .describe(
        "The certificate and those of its issuers, as PEM; null until it is issued, and if the agent reports it already.",
      ),
    last_error: z
      .string()
      .nullable()
      .describe("Why the last attempt failed, in the authority's words; null if it did not."),
    renews_at: z
      .string()
      .nullable()
      .describe(
        "From when on to request the next certificate, with a new key (RFC 3339); null until it is issued.",
      ),
  }) satisfies z.ZodType<CertificateProgress>,
}));

/** Why an agent cannot ask, as an error. @returns what it asks for otherwise */
function permitted(
  asked: Asked,
  name: string,
  host: string,
  csr: string,
  keyId: string,
): AgentRequest | "gone" {
  if (asked.owner === undefined) throw agentNotFound();
  if (asked.owner !== keyId) throw agentRefused("This name belongs to another key.");
  const found = issuerFor(host, asked.issuers);
  return found && asked.hasEdge ? { agent: name, host, csr, keyId, ...found } : "gone";
}

/** Makes at most one step. @throws 404 if no certificate is ordered for the host */
async function progress(
  c: Context<App>,
  name: string,
  host: string,
  csr: string,
): Promise<CertificateProgress> {
  const { session, caller, operationId, origin } = c.get("request");
  if (!caller) throw unauthenticated();
  const { statements, read } = readAsked(name, host);
  const asked = read(await session.batch(statements));
  const { row: before } = asked;
  const request = permitted(asked, name, host, csr, caller.keyId);
  if (request === "gone") {
    if (before) await session.batch([forgetRequests(name, host)]);
    throw noIssuer();
  }
  const now = clock.now();
  const decision = decide(asked, request, now);
  if (decision.is === "refuse") return decision.progress;
  const { row } = decision;
  if (decision.is === "keep") {
    const isSame = before !== undefined && isNoted(before, row) && isUnchanged(before, row);
    if (!isSame && (before?.lease_until ?? 0) <= now) await session.batch([storeRow(before, row, now)]);
    return progressOf(row, now);
  }
  const settings = settingsFor(c.env, operationId, origin);
  if (!settings) throw unavailable("No certificate is ordered: the settings of the service are malformed.");
  const step = performStep({ env: c.env, session, settings, cause: causeOf(c) }, before, row, request.issuer);
  // The step ends even if the agent does not wait for it.
  c.executionCtx.waitUntil(
    step.then(
      () => {},
      () => {},
    ),
  );
  const after = await step;
  return after ? progressOf(after, clock.now()) : WAITING;
}

const isUnchanged = (before: object, row: object): boolean =>
  JSON.stringify({ ...before, asked_at: 0 }) === JSON.stringify({ ...before, ...row, asked_at: 0 });

const tag = "Traffic";

const host = z.lazy(() =>
  z.string().max(CERTIFICATE_HOST_LENGTH).regex(CERTIFICATE_HOST).describe("A host name in lower case."),
);

export const certificateRequests = endpoints().put(
  "/:name/certificate_requests/:host",
  operation({
    id: "CertificateRequestsPut",
    access: "agent",
    summary: "Request a certificate",
    description: `Requests a certificate for a host from the issuer that is for it, and returns how far the order is. Each request makes at most one step of the order, so an agent sends the same request again after \`retry_after\` seconds. It answers challenges (RFC 8555 §8.3) at \`${CHALLENGE_PATH}\` with the thumbprints in \`GET /issuing\`. A request with another key is the request for the next certificate: before \`renews_at\`, one is accepted a day after the last certificate was issued. After each of the first four rejections, the next attempt follows after 1 minute, 10 minutes, 1 hour and 6 hours.`,
    tag,
    names: { name: z.lazy(() => z.string().regex(AGENT_NAME).describe("Name of the agent.")), host },
    body: CertificateRequest,
    status: 200,
    response: CertificateProgressShown,
    errors: ["ERR_NOT_FOUND"],
  }),
  async (c) => {
    const { csr } = c.req.valid("json");
    const name = c.req.param("name");
    const own = c.req.param("host").toLowerCase();
    const { problem } = await readRequest(csr, own);
    if (problem !== undefined) throw invalidMembers([{ path: "/csr", msg: problem }]);
    return respond(c, 200, JSON.stringify(await progress(c, name, own, csr)));
  },
);

export const renewals = endpoints().post(
  "/:host/renew",
  operation({
    id: "CertificatesRenew",
    access: "editor",
    summary: "Renew a certificate",
    description:
      "Has all agents request a new certificate for a host that the service has issued certificates for, or orders one for: their certificates count as due for renewal, and failures are forgotten, so that paused requests are resumed. Agents follow within ten minutes.",
    tag,
    names: { host },
    status: 204,
    errors: ["ERR_NOT_FOUND"],
  }),
  (c) => {
    const own = c.req.param("host").toLowerCase();
    return commit(c, {
      requires: [authorized(c), { condition: isAsked(own), isShownByRow: true, error: notOrdered }],
      change: () => ({ statements: [renew(own, clock.now())], main: 0 }),
      answer: () => ({ status: 204 }),
    });
  },
);
