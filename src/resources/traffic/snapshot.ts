import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { exampleId } from "../../../packages/model/src/ids.ts";
import {
  byObjectAndCode,
  problemCodes,
  problemSchema,
} from "../../../packages/model/src/traffic/problems.ts";
import { snapshotSchema } from "../../../packages/model/src/traffic/snapshot.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { inWords, LARGEST_PAGE, limit, listSchemaAt, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { isKnown, respond, showTagged, tagsOf } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { changedAccounts, ISSUER_ACCOUNT_CHANGED } from "../../issuing/order_statements.ts";
import { MOST_RULES, newestChange } from "../../traffic/snapshot_reads.ts";
import { TRAEFIK_PROBLEMS } from "../../traffic/traefik/draft.ts";
import { DELIVERIES_LOST, rejecting } from "../events/delivery_statements.ts";
import { endingReports } from "./certificate_statements.ts";
import { currentAmong } from "./form_cache.ts";
import { CERTIFICATE_ENDING, endingProblems } from "./inventory.ts";
import { forms, judgements, MOST_BYTES, texts } from "./snapshot_forms.ts";

/*
 * The snapshot of everything that proxies serve, and the list of problems: configuration that cannot be served as written.
 */

const formats = ["traefik"] as const;

const formatQuery = () =>
  z
    .enum(formats)
    .describe(
      "`traefik`: the dynamic configuration for a Traefik proxy, whose HTTP provider polls it. Anything that Traefik cannot enforce is left out and reported by `GET /problems?format=traefik`.",
    )
    .exactOptional();

/** The fields are defined by Traefik; tests check them against its schema. */
const traefikSchema = schema("TraefikConfiguration", () => ({
  description: "A dynamic configuration of a Traefik proxy, version 3.",
  examples: [{ tcp: { routers: {}, services: {} } }],
  type: z.strictObject({
    http: z.looseObject({}).describe("Routers, services and middlewares.").optional(),
    tcp: z.looseObject({}).describe("Routers and services.").optional(),
    tls: z.looseObject({}).describe("Options.").optional(),
  }),
}));

export const snapshot = endpoints().get(
  "/",
  operation({
    id: "SnapshotGet",
    access: "viewer or agent",
    summary: "Get the snapshot",
    description: `Returns a consistent snapshot of everything needed to serve traffic: edges with their enabled modules and routes, and the policies, backends and authorities that they use. It contains no secrets. Poll it every few seconds, with the last \`ETag\` as \`If-None-Match\`: 304 means that nothing has changed. Expired rules are left out, and the \`ETag\` changes when a rule expires. \`expires_at\` of a policy says when rules expire: treat them as absent from then on. If the snapshot would have more than ${MOST_BYTES / 1e6} MB or ${MOST_RULES} rules, the response is 413.`,
    tag: "Traffic",
    conditional: "poll",
    query: z.lazy(() => requestObject({ format: formatQuery() })),
    status: 200,
    response: z.lazy(() => z.union([snapshotSchema, traefikSchema])),
    errors: ["ERR_TOO_LARGE", "ERR_PRECONDITION_FAILED"],
  }),
  async (c) => {
    const { format = "snapshot" } = c.req.valid("query");
    const form = forms[format].text;
    const known = texts.of(form);
    const asked = tagsOf(c.req.header("If-None-Match")) ?? [];
    const etags = [
      ...(known ? [known.etag] : []),
      ...(asked === "any" ? [] : asked.map((tag) => `"${tag}"`)),
    ];
    const fresh = etags.length > 0 ? await currentAmong(c, form, etags) : [];
    const shared = fresh.find((etag) => isKnown(c, etag));
    if (shared !== undefined) return showTagged(c, shared, () => "");
    const { etag, json } = known && fresh.includes(known.etag) ? known : await texts.make(c, form);
    return showTagged(c, etag, () => json);
  },
);

/** `OBJECT.CODE`: the position after which a page of problems starts. */
const PLACE = /^([0-9A-Za-z_]{1,100})\.([0-9a-z_]{1,100})$/;

export const ProblemList = schema("ProblemList", () => ({
  description: "Configuration that is not served as written.",
  type: listSchemaAt("/problems", {
    problems: z.array(problemSchema).describe("The problems on this page, by object and code."),
  }),
}));

const codesInWords = (): string =>
  Object.entries(problemCodes)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join("\n");

export const problems = endpoints().get(
  "/",
  operation({
    id: "ProblemsList",
    access: "viewer",
    summary: "List problems",
    description: `Lists configuration that is not served as written, or not at all, with the reason, by object and code. Each agent can have further problems, such as a missing certificate: see its status. The codes:\n\n${codesInWords()}\n- \`${DELIVERIES_LOST}\`: The target of an event destination rejected events, which are not sent again unless they are replayed.\n- \`${CERTIFICATE_ENDING}\`: Less than a quarter of the life of a certificate is left that an agent serves for the edge, or it has ended.\n- \`${ISSUER_ACCOUNT_CHANGED}\`: The account of a certificate issuer has another URL than before, because the authority did not know it any more. CAA records that name the earlier account must be changed.\n\nWith \`format=traefik\` there are also ${inWords(
      TRAEFIK_PROBLEMS.map((code) => `\`${code}\``),
      "and",
    )}, for what that proxy cannot enforce.`,
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        limit: limit("").exactOptional(),
        after: z
          .string()
          .regex(PLACE, "Expected the object and the code of a problem, separated by a full stop.")
          .describe("Lists only problems after this one: its object and its code, separated by a full stop.")
          .meta({ examples: [`${exampleId("tcp_edge")}.port_taken`] })
          .exactOptional(),
        format: formatQuery(),
      }),
    ),
    status: 200,
    response: ProblemList,
    errors: ["ERR_TOO_LARGE"],
  }),
  async (c) => {
    const { limit: most = LARGEST_PAGE, after, format = "snapshot" } = c.req.valid("query");
    const now = clock.now();
    const [rejected, ending, changed] = [rejecting(), endingReports(now), changedAccounts()];
    const [newest = [], found = [], reports = [], accounts = []] = await c
      .get("request")
      .session.batch([newestChange, rejected, ending, changed]);
    const version = newest.map(newestChange.decode)[0] ?? 0;
    const { problems, edges } = await judgements.current(c, forms[format].problems, version);
    const others = [
      ...found.map(rejected.decode),
      ...accounts.map(changed.decode),
      ...endingProblems(edges, reports.map(ending.decode), now),
    ];
    const all = [...problems, ...others].toSorted(byObjectAndCode);
    const [, object = "", code = ""] = PLACE.exec(after ?? "") ?? [];
    const rest =
      after === undefined ? all : all.filter((problem) => byObjectAndCode({ object, code }, problem) < 0);
    const page = rest.slice(0, most);
    const last = rest.length > most ? page.at(-1) : undefined;
    const uri = `${c.get("request").origin}/problems`;
    const body = {
      problems: page,
      ...pageLinks(c, uri, most, last && { after: `${last.object}.${last.code}` }),
    } satisfies z.output<typeof ProblemList>;
    return respond(c, 200, JSON.stringify(body));
  },
);
