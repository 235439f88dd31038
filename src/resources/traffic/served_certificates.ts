import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { exampleRef, Ref, ref } from "../../../packages/model/src/ids.ts";
import {
  CERTIFICATE_HOST_LENGTH,
  certificateSources,
  isCertificateHost,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { nonEmpty, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { LARGEST_PAGE, limit, listSchemaAt, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { allOrders, needsStep } from "../../issuing/order_statements.ts";
import { newestChange } from "../../traffic/snapshot_reads.ts";
import { SILENT } from "./agent_statements.ts";
import { allReports } from "./certificate_statements.ts";
import { certificateStates, edgesByHost, Inventory } from "./inventory.ts";
import { forms, judgements } from "./snapshot_forms.ts";

/*
 * The inventory of certificates: which ones agents have for each host, and when they end.
 */

/** The most agents and edges that are listed for a host. */
const MOST_LISTED = 20;

const later = (meaning: string) => z.string().nullable().describe(`${meaning} Null for files.`);

/** The first of some instants in milliseconds since the Unix epoch. */
const first = (instants: (number | null)[]): string | null => {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : timestamp(Math.min(...known));
};

const HostCertificate = schema("HostCertificate", () => ({
  description: "The certificates that agents have for a host.",
  examples: [
    {
      host: "shop.example.com",
      edges: [exampleRef("https_edge")],
      source: "file",
      issuer: null,
      issued_by: "C=US, O=Let's Encrypt, CN=R11",
      state: "valid",
      not_after: "2026-04-02T03:04:05Z",
      renews_at: null,
      last_error: null,
      next_attempt_at: null,
      agents: [{ name: "lisbon-1", serial: "03a1c2", not_after: "2026-04-02T03:04:05Z" }],
      agent_count: 1,
    },
  ],
  type: z.strictObject({
    host: z
      .string()
      .describe(
        "A host in lower case: a name, with A-labels if it is international; a wildcard such as `*.example.com`, which covers one label; or an address.",
      ),
    edges: z
      .array(Ref)
      .describe(
        `The edges that have this host and terminate TLS, at most ${MOST_LISTED}. Empty for a name that only certificates have, such as a wildcard.`,
      ),
    source: z
      .enum(certificateSources)
      .nullable()
      .describe(
        "Where the certificate comes from: `file`, a file on the machine; `issued`, the service orders it. Null if there is none.",
      ),
    issuer: Ref.nullable().describe(
      "The issuer that the service ordered the certificate from. Null for files.",
    ),
    issued_by: z
      .string()
      .nullable()
      .describe("The issuer's name in the certificate that ends first; null if there is none."),
    state: z
      .enum(certificateStates)
      .describe(
        "`valid`; `ending`: less than a quarter of a certificate's life is left, the renewal of an issued one is late by a tenth of its life, or it has ended; `pending`: the service orders the first one; `failing`: the last order failed, and another follows; `paused`: no order follows, until the issuer or the edge changes, or `POST /certificates/{host}/renew`; `missing`: an edge has this host, but no agent has a certificate for it that is valid now; `unknown`: the same, but an agent does not report all of its certificates, or no agent reports.",
      ),
    not_after: z
      .string()
      .nullable()
      .describe("When the first of the certificates ends (RFC 3339); null if there is none."),
    renews_at: later("When the service renews the certificate (RFC 3339)."),
    last_error: later("Why the last order failed."),
    next_attempt_at: later("When the service tries again (RFC 3339)."),
    agents: z
      .array(
        z.strictObject({
          name: z.string().describe("Name of the agent."),
          serial: z.string().describe("Serial number of its best certificate for the host, in hexadecimal."),
          not_after: z.string().describe("When that ends (RFC 3339)."),
        }),
      )
      .describe(
        `The agents that have a certificate for the host, at most ${MOST_LISTED}; those that end first come first.`,
      ),
    agent_count: z.number().describe("How many agents have a certificate for the host."),
  }),
}));

const HostCertificateList = schema("HostCertificateList", () => ({
  description: "Which certificates agents have for each host.",
  type: listSchemaAt("/certificates", {
    certificates: z.array(HostCertificate).describe("The hosts on this page, in alphabetical order."),
  }),
}));

/** A host in a query, in any case. */
const host = () =>
  nonEmpty(CERTIFICATE_HOST_LENGTH)
    .transform((text) => text.toLowerCase())
    .refine(
      (text) => text === "" || isCertificateHost(text),
      "Expected a host name, a wildcard or an address, without a port.",
    )
    .meta({ maxLength: CERTIFICATE_HOST_LENGTH });

export const certificates = endpoints().get(
  "/",
  operation({
    id: "CertificatesList",
    access: "viewer",
    summary: "List certificates",
    description: `Lists hosts, in alphabetical order, with the certificates that agents have for them: the hosts of edges that terminate TLS, and all others that certificates name. It shows what agents reported within the last ${SILENT / 60_000} minutes. Agents report at most 100 certificates, without their keys.`,
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        state: z.enum(certificateStates).describe("Lists only hosts with this state.").exactOptional(),
        host: host().describe("Lists only this host.").exactOptional(),
        limit: limit("").exactOptional(),
        after: host()
          .describe("Lists only hosts after this one, which need no longer be listed.")
          .exactOptional(),
      }),
    ),
    status: 200,
    response: HostCertificateList,
    errors: ["ERR_TOO_LARGE"],
  }),
  async (c) => {
    const { state, host: only, limit: most = LARGEST_PAGE, after = "" } = c.req.valid("query");
    const { session, origin } = c.get("request");
    const now = clock.now();
    const [reports, orders] = [allReports(now), allOrders()];
    const [newest = [], found = [], asked = []] = await session.batch([newestChange, reports, orders]);
    const version = newest.map(newestChange.decode)[0] ?? 0;
    const { edges } = await judgements.current(c, forms.snapshot.problems, version);
    const inventory = new Inventory(found.map(reports.decode), now, asked.map(orders.decode));
    const served = edgesByHost(edges);
    const page: z.output<typeof HostCertificate>[] = [];
    let last: { after: string } | undefined;
    const hosts = new Set([...served.keys(), ...inventory.hosts]);
    for (const name of [...hosts].filter((one) => one > after && (only ?? one) === one).toSorted()) {
      const ids = served.get(name) ?? [];
      const { state: own, held, orders: open } = inventory.of(name, ids.length > 0);
      if (state !== undefined && own !== state) continue;
      if (page.length === most) {
        last = { after: page.at(-1)?.host ?? "" };
        break;
      }
      const [best] = held;
      const [order] = open;
      page.push({
        host: name,
        edges: ids.slice(0, MOST_LISTED).map((id) => ref(origin, id)),
        source: best?.certificate.source ?? (order ? "issued" : null),
        issuer: order ? ref(origin, order.issuer_id) : null,
        issued_by: best?.certificate.issuer ?? null,
        state: own,
        not_after: best?.certificate.not_after ?? null,
        renews_at: first(open.map(({ renews_at }) => renews_at)),
        last_error: open.find(({ last_error }) => last_error !== null)?.last_error ?? null,
        next_attempt_at: first(open.map((one) => (needsStep(one) ? one.next_attempt_at : null))),
        agents: held
          .flatMap(({ report: { agents }, certificate: { serial, not_after } }) =>
            agents.slice(0, MOST_LISTED).map((agent) => ({ name: agent, serial, not_after })),
          )
          .slice(0, MOST_LISTED),
        agent_count: held.reduce((sum, { report }) => sum + report.agents.length, 0),
      });
    }
    const body = {
      certificates: page,
      ...pageLinks(c, `${origin}/certificates`, most, last),
    } satisfies z.output<typeof HostCertificateList>;
    return respond(c, 200, JSON.stringify(body));
  },
);
