import type { Context } from "hono";
import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { exampleRef, idSchema, Ref, ref } from "../../../packages/model/src/ids.ts";
import type { Compiled } from "../../../packages/model/src/policy/compile.ts";
import { bytesOf } from "../../../packages/model/src/policy/evaluate.ts";
import { ownResponse } from "../../../packages/model/src/policy/own_responses.ts";
import { problemSchema } from "../../../packages/model/src/traffic/problems.ts";
import { type Outcome, targetOf } from "../../../packages/model/src/traffic/simulate.ts";
import {
  holderOf,
  receiverIn,
  simulate,
  TARGET,
  urlPartsOf,
} from "../../../packages/model/src/traffic/simulation.ts";
import { type Route, type Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import type { StoredSnapshot } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { addressOf } from "../../../packages/model/src/values/cidrs.ts";
import { headerName } from "../../../packages/model/src/values/header_map.ts";
import {
  byteLength,
  nonEmpty,
  requestObject,
  string,
  uint32,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import type { App } from "../../http/env.ts";
import { edgeNotFound, invalidMembers, simulationTooLong } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { compiledPolicy, language } from "../../traffic/policies.ts";
import { inTurns } from "../../traffic/turns.ts";
import { resolved, storedSnapshot } from "./snapshot_forms.ts";

/*
 * Simulates one request: what the configuration makes of it, step by step. Nothing is sent and nothing is stored.
 */

const HEADERS = 100;
const BYTES = 16_384;
const POLICIES = 20;
/** The most bytes of all policies in a request together: as many as one policy can have. */
const POLICY_BYTES = 65_536;
const LIMITS = 100;

/** A header line: a name and a value. */
const headerLine = () =>
  z
    .array(string(BYTES))
    .length(2, "Expected a name and a value.")
    .refine(([name]) => headerName().safeParse(name).success, "Expected a header name, and a value.")
    .refine(([, value]) => !/[\r\n\0]/.test(value ?? ""), "A value must not contain CR, LF or NUL.")
    .transform(([name = "", value = ""]): [string, string] => [name, value]);

const headerList = () => z.array(headerLine()).max(HEADERS, `Contains more than ${HEADERS} headers.`);

const textsOf = (policies: Record<string, { value: string }>): string[] =>
  Object.values(policies).map(({ value }) => value);

const ip = () =>
  string(64).refine((text) => addressOf(text) !== undefined, "Expected an IPv4 or IPv6 address.");

const SimulationRequest = schema("SimulatedRequest", () => ({
  description: "The request to be simulated.",
  type: requestObject({
    method: z
      .string()
      .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/, "Expected a method.")
      .describe("The method; GET if left out.")
      .exactOptional(),
    url: nonEmpty(BYTES)
      .regex(TARGET, "Expected https://host/path, or tcp://host:port or tls://host:port for other edges.")
      .meta({ pattern: "^(https|tls|tcp)://" })
      .describe("The URL; `tcp://host:port` and `tls://host:port` for edges without routes."),
    headers: headerList().describe("Header lines, each a name and a value.").exactOptional(),
    source_ip: ip().describe("The client's address."),
    source_port: uint32(1, 65_535).describe("The client's port; 40000 if left out.").exactOptional(),
    tls: requestObject({
      version: z
        .enum(["1.0", "1.1", "1.2", "1.3"])
        .describe("The TLS version; 1.3 if left out.")
        .exactOptional(),
      client_common_name: string(256)
        .describe("The common name in the client's certificate; without it, the client has no certificate.")
        .exactOptional(),
    })
      .describe("The TLS connection.")
      .exactOptional(),
  }),
}));

const example = {
  request: {
    url: "https://shop.example.com/admin?x=1",
    headers: [["x-tier", "gold"]],
    source_ip: "203.0.113.7",
  },
  response: { status_code: 200 },
  counts: { login: 5 },
};

const SimulationCreate = schema("SimulationCreate", () => ({
  description: "A request, and what is assumed about it.",
  examples: [example],
  type: requestObject({
    request: SimulationRequest,
    response: requestObject({
      status_code: uint32(200, 599).describe("The status; 200 if left out.").exactOptional(),
      headers: headerList().describe("Header lines, each a name and a value.").exactOptional(),
    })
      .describe("What the upstream answers.")
      .exactOptional(),
    at: z.iso
      .datetime({ offset: true })
      .describe("The time of the request; now if left out.")
      .exactOptional(),
    counts: z
      .record(z.string(), uint32())
      .refine((counts) => Object.keys(counts).length <= LIMITS, `Contains more than ${LIMITS} counts.`)
      .describe("How many requests each rate limit has let through, by its name; 0 for others.")
      .exactOptional(),
    jwt_signatures: z
      .enum(["valid", "invalid"])
      .describe("Whether the signatures of tokens are valid; `valid` if left out.")
      .exactOptional(),
    with: z
      .record(
        idSchema("tcp_edge", "tls_edge", "https_edge_route"),
        requestObject({
          enabled: z.boolean().describe("Whether the policy is enabled; true if left out.").exactOptional(),
          value: nonEmpty().describe("The text of the policy."),
        }),
      )
      .refine(
        (policies) => Object.keys(policies).length <= POLICIES,
        `Contains more than ${POLICIES} policies.`,
      )
      .refine(
        (policies) => byteLength(textsOf(policies).join(""), POLICY_BYTES) <= POLICY_BYTES,
        `The texts of all policies together are longer than ${POLICY_BYTES} bytes in UTF-8.`,
      )
      .describe(
        "Traffic policies to use instead of the stored ones, by the id of the edge or route: at most 20, whose texts have at most 64 KiB together. Only the policy of the edge or route that gets the request is compiled.",
      )
      .exactOptional(),
  }),
}));

const lines = (description: string) => z.array(z.array(z.string())).describe(description);
const status = () => z.int().describe("The status.");

const outcome = () =>
  z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("response").describe("The proxy responds itself."),
      by: z
        .string()
        .describe(
          "The module that responds; `request` if the path or a header is not valid, `host` if the Host header is for another edge, `routes` if no route matches.",
        ),
      status_code: status(),
      headers: lines("Headers of the response."),
      body: z.string().describe("The body."),
    }),
    z.strictObject({
      kind: z.literal("upstream").describe("The request reaches a backend."),
      backend: Ref.describe("The backend."),
      addresses: z.array(z.string()).describe("The addresses that it can be sent to."),
      request: z
        .strictObject({
          method: z.string().describe("The method."),
          url: z.string().describe("Path and query."),
          headers: lines("Headers that the upstream gets."),
        })
        .nullable()
        .describe("What the upstream gets; null for a connection."),
      response: z
        .strictObject({ status_code: status(), headers: lines("Headers that the client gets.") })
        .nullable()
        .describe("What the client gets; null for a connection."),
    }),
    z.strictObject({
      kind: z.literal("closed").describe("The connection is closed."),
      by: z.string().describe("The module that closes it."),
    }),
    z.strictObject({
      kind: z.literal("not_served").describe("The edge or the route is not served."),
      problems: z.array(problemSchema).describe("Why."),
    }),
  ]);

export const SimulationResult = schema("Simulation", () => ({
  description: "What becomes of a request.",
  examples: [
    {
      hostport: "shop.example.com:443",
      edge: exampleRef("https_edge"),
      route: exampleRef("https_edge_route"),
      steps: [{ module: "ip_restriction", verdict: "pass", reason: "allow_rule" }],
      outcome: { kind: "response", by: "traffic_policy", status_code: 403, ...ownResponse(403) },
      assumptions: ["Rate limit login: 5 requests were let through before."],
    },
  ],
  type: z.strictObject({
    hostport: z.string().describe("The hostport that the request is sent to."),
    edge: Ref.describe("The edge that has the hostport."),
    route: Ref.nullable().describe("The route that gets the request; null if there is none."),
    steps: z
      .array(z.looseObject({ module: z.string().describe("The module.") }))
      .describe(
        "What each module did, in order: `verdict`, and `reason` where there are several. Of a traffic policy there is a step for each rule that was reached: its phase and position, the value of each expression, whether it `holds`, and what each action did.",
      ),
    outcome: outcome().describe("What becomes of the request."),
    assumptions: z.array(z.string()).describe("What was assumed."),
  }),
}));

type Input = z.output<typeof SimulationCreate>;

/** The SHA-256 of bytes, in hexadecimal. */
function sha256(bytes: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(bytes, "latin1").digest("hex");
}

/** The edge or route that gets the request, if it is served, and its policy, compiled. */
interface Receiver {
  owner: Partial<Pick<Route, "traffic_policy" | "user_agent_filter">>;
  policy?: Compiled;
}

/** The edge or route that gets the request; no other policy is compiled. */
async function receiverOf({ edges }: Snapshot, receiver: string | undefined): Promise<Receiver> {
  for (const edge of edges)
    for (const owner of edge.kind === "https" ? edge.routes : [edge])
      if (owner.id === receiver) {
        const { traffic_policy } = owner;
        return traffic_policy
          ? { owner, policy: await compiledPolicy(traffic_policy.value, targetOf(edge)) }
          : { owner };
      }
  return { owner: {} };
}

/** What matches the patterns that the request can meet: they are compiled before, because compiling takes longer than matching. */
async function matchingFor({ owner, policy }: Receiver) {
  const { compilePatterns, Matching } = await language();
  const { allow, deny } = owner.user_agent_filter ?? {};
  const agents = [...(allow ?? []), ...(deny ?? [])].map(bytesOf);
  return new Matching(
    new Map([
      ...(await inTurns(compilePatterns(agents))),
      ...(await inTurns(compilePatterns(policy?.patterns ?? []))),
    ]),
  );
}

/**
 * Replaces the policies of stored objects with those of the request. Only the edge or route that gets the request keeps a policy: the
 * others neither change the result nor are worth compiling.
 */
function choosePolicies(
  { tcp, tls, routes }: StoredSnapshot,
  given: Input["with"],
  receiver: string | undefined,
): void {
  for (const owner of [...tcp, ...tls, ...routes]) {
    const policy = given?.[owner.id];
    if (owner.id !== receiver) owner.traffic_policy = null;
    else if (policy) owner.traffic_policy = { enabled: policy.enabled ?? true, value: policy.value };
  }
}

/** Runs the simulation. @throws 400, 404, 422 */
async function simulated(c: Context<App>, input: Input) {
  const parts = urlPartsOf(input.request.url);
  if (!parts)
    throw invalidMembers([{ path: "/request/url", msg: "Expected a host and, unless it is https, a port." }]);
  const stored = await storedSnapshot(c);
  const holder = holderOf(parts.hostport, stored);
  if (holder === undefined) throw edgeNotFound(parts.hostport);
  const receiver = receiverIn(stored, holder, parts.target);
  choosePolicies(stored, input.with, receiver);
  const snapshot = await resolved(stored);
  const found = await receiverOf(snapshot, receiver);
  const matching = await matchingFor(found);
  const { TooManySteps } = await language();
  const now = input.at === undefined ? clock.now() : Date.parse(input.at);
  try {
    const policyOf: Parameters<typeof simulate>[3] = ({ traffic_policy }) => traffic_policy && found.policy;
    const result = simulate(snapshot, holder, input, policyOf, { now, sha256, matching });
    const { hostport, edge_id, route_id, assumptions } = result;
    const { origin } = c.get("request");
    return {
      hostport,
      edge: ref(origin, edge_id),
      route: route_id === null ? null : ref(origin, route_id, edge_id),
      steps: result.steps.map((step) => ({ module: "", ...step })),
      outcome: shown(result.outcome, origin),
      assumptions,
    };
  } catch (error) {
    throw error instanceof TooManySteps ? simulationTooLong() : error;
  }
}

function shown(found: Outcome, origin: string): z.output<ReturnType<typeof outcome>> {
  if (found.kind !== "upstream") return found;
  const { backend_id, ...rest } = found;
  return { ...rest, backend: ref(origin, backend_id) };
}

export const simulations = endpoints().post(
  "/",
  operation({
    id: "SimulationsCreate",
    access: "viewer",
    summary: "Simulate a request",
    description:
      "Returns what happens to one request, step by step, without sending it: which edge and route get it, what each module does, and how it ends. Traffic policies that are not stored can be tried with `with`. Nothing is stored. Simulating reads as much as `GET /snapshot`.",
    tag: "Traffic",
    body: SimulationCreate,
    status: 200,
    response: SimulationResult,
    errors: ["ERR_NOT_FOUND", "ERR_SIMULATION_TOO_LONG"],
  }),
  async (c) => {
    const result: z.output<typeof SimulationResult> = await simulated(c, c.req.valid("json"));
    return respond(c, 200, JSON.stringify(result));
  },
);
