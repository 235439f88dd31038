import { createHash } from "node:crypto";
import type { components } from "edge-configuration-client";
import { Matching, TooManySteps } from "../../model/src/policy/language.ts";
import { targetOf } from "../../model/src/traffic/simulate.ts";
import { holderOf, simulate, urlPartsOf } from "../../model/src/traffic/simulation.ts";
import type { Call } from "./args.ts";
import { dropExpired, isFollowing, load } from "./comparison.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import type { Expected, FileTest } from "./file_tests.ts";
import { getField, textOf } from "./json.ts";
import type { Content } from "./objects.ts";
import { type OutputLine, paint, print } from "./output.ts";
import { counted } from "./report.ts";
import { type ServedFile, servedBy } from "./served.ts";
import { bodyOf, eachOf, type ServiceAccess, RequestError } from "./service.ts";
import type { SourceFile } from "./source.ts";

/*
 * Runs the tests of a file. No request is sent: they are simulated, on what is in the file or by the service.
 */

/** What became of a request, with names in place of the ids of edges and backends. */
interface Found {
  edge: string;
  /** Null if no route matches. */
  route: string | null;
  steps: readonly object[];
  outcome: Ended;
}

type Simulation = components["schemas"]["Simulation"];
type Ended = Simulation["outcome"];

/** Runs a test, or says why it cannot be run. */
type Runner = (test: FileTest) => Promise<Found | string>;

/** Runs the tests of a file, and prints the results. */
export async function test(service: ServiceAccess | undefined, call: Call): Promise<number> {
  const [name = ""] = call.operands;
  const { file, content, ids } = load(name, service, isFollowing(call));
  dropExpired(content);
  if (content.tests.length === 0) throw new UserError(`${file.name} has no tests.`);
  if (service === undefined) return (await runAll(file, content.tests, onFile(content))) ? 0 : ANSWER_IS_NO;
  ids.requireService(service.url);
  return (await runAll(file, content.tests, onService(service, ids.of(service.url)))) ? 0 : ANSWER_IS_NO;
}

/** Runs the tests of a file before it is applied. @throws UserError if one fails */
export async function requireTests(file: SourceFile, content: Content): Promise<void> {
  if (content.tests.length === 0 || (await runAll(file, content.tests, onFile(content)))) return;
  throw new UserError(
    "Nothing was changed, because tests failed. To apply the file without them: --skip-tests.",
  );
}

/** Runs tests and prints the results. @returns true if all passed */
async function runAll(file: SourceFile, tests: FileTest[], run: Runner): Promise<boolean> {
  const results = await eachOf(tests, async (one) => ({ one, wrong: await wrongIn(one, run) }));
  for (const { one, wrong } of results) {
    print([wrong.length === 0 ? paint("green", "ok   ") : paint("red", "FAIL "), one.name]);
    if (wrong.length > 0) print([paint("dim", `       ${file.placeOf(one.path)}`)]);
    for (const line of wrong) print(line);
  }
  const failed = results.filter(({ wrong }) => wrong.length > 0).length;
  print(`${counted(tests.length, "test")}, ${failed === 0 ? "all passed" : `${failed} failed`}.`);
  return failed === 0;
}

/** What is not as expected, and then what became of the request; empty if everything is. */
async function wrongIn(one: FileTest, run: Runner): Promise<OutputLine[]> {
  const found = await run(one);
  if (typeof found === "string") return [`       ${found}`];
  const wrong = differencesIn(one.expect, found);
  if (wrong.length === 0) return [];
  return [...wrong.map((text) => `       ${text}`), [paint("dim", `       ${storyOf(found)}`)]];
}

type Plain = string | number | boolean;

/** Each expectation that is not met. */
function differencesIn(expected: Expected, { edge, route, steps, outcome }: Found): string[] {
  const { status, headers } = responseIn(outcome);
  const upstream = outcome.kind === "upstream" ? outcome : undefined;
  const rules = steps.flatMap((step) =>
    getField(step, "holds") === true ? [textOf(getField(step, "name"))] : [],
  );
  const reached = upstream && [upstream.backend.id, ...upstream.addresses];
  const checks: [what: string, wanted: Plain | undefined, isMet: boolean, actual: Plain][] = [
    ["edge", expected.edge, edge === expected.edge, edge],
    ["route", expected.route, route === expected.route, route ?? "none"],
    ["status", expected.status, status === expected.status, status ?? "none"],
    ["closed", expected.closed, (outcome.kind === "closed") === expected.closed, outcome.kind === "closed"],
    ["rule", expected.rule, rules.includes(expected.rule ?? ""), rules.join(", ") || "none"],
    [
      "upstream",
      expected.upstream,
      reached?.includes(expected.upstream ?? "") === true,
      reached?.join(", ") ?? "none",
    ],
  ];
  return [
    ...checks.flatMap(([what, wanted, isMet, actual]) =>
      wanted === undefined || isMet
        ? []
        : [`${what}: expected ${wanted}, ${(actual === "none" && NEITHER[outcome.kind]) || `not ${actual}`}`],
    ),
    ...headerDifferences("request_headers", expected.request_headers, upstream?.request?.headers ?? []),
    ...headerDifferences("response_headers", expected.response_headers, headers),
  ];
}

/** Why there is neither a response nor an upstream. */
const NEITHER: Partial<Record<Ended["kind"], string>> = {
  closed: "but the connection is closed",
  not_served: "but it is not served",
};

/** The response that a client gets; without a status if it gets none. */
function responseIn(outcome: Ended): { status?: number; headers: string[][] } {
  if (outcome.kind === "response") return { status: outcome.status_code, headers: outcome.headers };
  const response = outcome.kind === "upstream" ? outcome.response : null;
  return response ? { status: response.status_code, headers: response.headers } : { headers: [] };
}

const headerDifferences = (
  what: string,
  expected: Record<string, string | null> = {},
  headers: string[][],
): string[] =>
  Object.entries(expected).flatMap(([name, wanted]) => {
    const values = headers.flatMap(([each = "", value = ""]) => (each.toLowerCase() === name ? [value] : []));
    if (wanted === null ? values.length === 0 : values.includes(wanted)) return [];
    const actual = values.length === 0 ? "none" : values.map((value) => JSON.stringify(value)).join(", ");
    return [`${what}.${name}: expected ${wanted === null ? "none" : JSON.stringify(wanted)}, not ${actual}`];
  });

/** What became of a request, in one line. */
function storyOf({ edge, route, steps, outcome }: Found): string {
  const ended =
    outcome.kind === "response"
      ? `${outcome.status_code} by ${outcome.by}`
      : outcome.kind === "upstream"
        ? `upstream ${outcome.backend.id}`
        : outcome.kind === "closed"
          ? `closed by ${outcome.by}`
          : `not served: ${outcome.problems.map(({ msg }) => msg).join(" ")}`;
  const passed = steps.flatMap((step) => {
    const [module, verdict] = [textOf(getField(step, "module")), textOf(getField(step, "verdict"))];
    if (module !== "traffic_policy") return [`${module}: ${verdict}`];
    const name = textOf(getField(step, "name")) || `rule ${String(getField(step, "rule"))}`;
    return getField(step, "holds") === true ? [`${name} holds`] : [];
  });
  return [edge, ...(route === null ? [] : [`route ${route}`]), ...passed, ended].join(" → ");
}

/** Runs tests on the objects of a file. */
function onFile(content: Content): Runner {
  const { snapshot, edges, judge, nameOf }: ServedFile = servedBy(content);
  const named = (id: string): string => nameOf(id) ?? id;
  return async (one) => {
    const hostport = urlPartsOf(one.url)?.hostport ?? "";
    const holder = holderOf(hostport, edges);
    if (holder === undefined) return `No edge has ${hostport}.`;
    const edge = snapshot.edges.find(({ id }) => id === holder);
    const { at, counts, response, jwt_signatures } = one;
    try {
      const { route_id, steps, outcome } = simulate(
        snapshot,
        holder,
        { request: requestOf(one), response, counts, ...(jwt_signatures && { jwt_signatures }) },
        ({ traffic_policy: policy }) => (policy && edge ? judge(policy.value, targetOf(edge)) : undefined),
        { now: at === undefined ? Date.now() : Date.parse(at), sha256, matching: new Matching() },
      );
      return {
        edge: named(holder),
        route: route_id === null ? null : named(route_id),
        steps,
        outcome: withNames(
          outcome.kind === "upstream"
            ? { ...outcome, backend: { id: outcome.backend_id, uri: "" } }
            : outcome,
          named,
        ),
      };
    } catch (error) {
      if (error instanceof TooManySteps) return "The traffic policy takes too many steps on this request.";
      throw error;
    }
  };
}

/** Has the service run tests on what it stores. */
function onService(service: ServiceAccess, ids: ReadonlyMap<string, string>): Runner {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const named = (id: string): string => names.get(id) ?? id;
  const matches = new Map<string, Promise<string>>();
  const matchOf = (edge_id: string, id: string): Promise<string> => {
    const known = matches.get(id);
    if (known) return known;
    const asked = service.api
      .GET("/edges/https/{edge_id}/routes/{id}", { params: { path: { edge_id, id } } })
      .then((answer) => bodyOf(answer).match);
    matches.set(id, asked);
    return asked;
  };
  return async (one) => {
    const { at, counts, response, jwt_signatures } = one;
    const body = {
      request: requestOf(one),
      response,
      counts,
      ...(at !== undefined && { at }),
      ...(jwt_signatures && { jwt_signatures }),
    };
    try {
      const { edge, route, steps, outcome } = bodyOf(await service.api.POST("/simulations", { body }));
      return {
        edge: named(edge.id),
        route: route === null ? null : await matchOf(edge.id, route.id),
        steps,
        outcome: withNames(outcome, named),
      };
    } catch (error) {
      if (error instanceof RequestError && /_NOT_FOUND$|_TOO_LONG$/.test(error.body.error_code))
        return error.body.msg;
      throw error;
    }
  };
}

const requestOf = ({ method, url, from, headers, client_certificate: certificate }: FileTest) => ({
  ...(method !== undefined && { method }),
  url,
  headers,
  source_ip: from,
  ...(certificate && { tls: { client_common_name: certificate.common_name } }),
});

/** An outcome with the name of the backend. */
const withNames = (outcome: Ended, named: (id: string) => string): Ended =>
  outcome.kind === "upstream"
    ? { ...outcome, backend: { ...outcome.backend, id: named(outcome.backend.id) } }
    : outcome;

/** The SHA-256 of bytes, in hexadecimal. */
const sha256 = (bytes: string): string => createHash("sha256").update(bytes, "latin1").digest("hex");
