import assert from "node:assert/strict";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import {
  ACCEPT_ALL,
  edge,
  type Outcome,
  pathIn,
  type TestService,
  textOf,
  withServices,
} from "../services.ts";

/*
 * Properties of any two files: they can be applied in sequence, no differences remain, and an export recreates the same state
 * on an empty service.
 */

let service: TestService;
let other: TestService;

withServices(
  (started) => (service = started),
  (started) => (other = started),
);

const RUNS = Number(process.env["RUNS"] ?? 10);

type Section = Record<string, object>;

const text = fc.constantFrom(
  "",
  "plain",
  "- # a: {b}",
  "two\nlines\n",
  "  indented",
  "${NOT_A_VARIABLE}",
  "'\"\\",
  "é☃𝄞",
  "null",
  "1.0",
  "a\ttab",
  "x ".repeat(90),
);
const texts = { description: text, metadata: text };
const part = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] });
const enabled = fc.boolean();
const listOf = (names: string[]) => (names.length === 0 ? fc.constant([]) : fc.shuffledSubarray(names));
const headers = fc.dictionary(
  fc.constantFrom("X-A", "x-b", "1", "__proto__"),
  fc.constantFrom("", "v", "${v}"),
);

const rule = fc.record(
  {
    ...texts,
    action: fc.constantFrom("allow", "deny"),
    cidr: fc.constantFrom(
      "10.0.0.0/8",
      "10.0.0.0/16",
      "192.0.2.1",
      "2001:DB8::/32",
      "::/0",
      "::ffff:1.2.3.4",
    ),
  },
  { requiredKeys: ["action", "cidr"] },
);
const rules = fc.uniqueArray(rule, { selector: ({ action, cidr }) => action + cidr, maxLength: 6 });

/** Some names that begin with `stem`, each with an object. */
const section = (
  stem: string,
  count: number,
  object: (name: string) => fc.Arbitrary<object>,
): fc.Arbitrary<Section> =>
  fc
    .shuffledSubarray(Array.from({ length: count }, (_, index) => `${stem}${index}`))
    .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), object(name)))))
    .map((entries) => Object.fromEntries<object>(entries));

const backendModule = (backends: string[]) =>
  fc.record({ enabled, backend_id: fc.constantFrom(...backends) });
const optionalBackend = (backends: string[]) =>
  backends.length === 0 ? {} : { backend: backendModule(backends) };
const restriction = (policies: string[]) => part({ enabled, ip_policy_ids: listOf(policies) });
const policy = part<object>({ enabled, value: text.filter((value) => value !== "") }).map((module) => ({
  value: "v",
  ...module,
}));

const world = fc
  .tuple(
    section("policy", 3, () => part<object>({ ...texts, rules })),
    section("fixed", 2, () =>
      part<object>({ ...texts, body: text, headers, status_code: fc.constantFrom(200, 503) }),
    ),
    section("static", 3, () =>
      part<object>({ ...texts, tls: part({ enabled }) }).map((backend) => ({
        address: "a.example:1",
        ...backend,
      })),
    ),
  )
  .chain(([ip_policies, http_response_backends, static_backends]) => {
    const leaves = [...Object.keys(http_response_backends), ...Object.keys(static_backends)];
    const weights =
      leaves.length === 0
        ? fc.constant({})
        : fc.dictionary(fc.constantFrom(...leaves), fc.integer({ min: 1, max: 9 }));
    return fc
      .tuple(
        section("weighted", 2, () => part<object>({ ...texts, backends: weights })),
        fc.shuffledSubarray(["failover0", "failover1", "failover2", "failover3"]),
      )
      .chain(([weighted_backends, ranks]) => {
        const below = [...leaves, ...Object.keys(weighted_backends)];
        // Each refers to backends before it in `ranks`, so there is no cycle. Their order in the file is arbitrary.
        const failover = section("failover", 4, (name) =>
          part<object>({
            ...texts,
            backends: listOf([...below, ...ranks.slice(0, Math.max(0, ranks.indexOf(name)))]),
          }),
        );
        return failover.chain((drawn) => {
          const names = Object.keys(drawn);
          const failover_backends = JSON.parse(JSON.stringify(drawn)) as Section;
          for (const backend of Object.values(failover_backends) as { backends?: string[] }[])
            if (backend.backends)
              backend.backends = backend.backends.filter(
                (child) => !child.startsWith("failover") || names.includes(child),
              );
          const backends = [...below, ...names];
          const policies = Object.keys(ip_policies);
          const edges = { ...texts, hostports: listOf(["a.example:1", "[::1]:2", "192.0.2.1:3"]) };
          const modules = {
            ...optionalBackend(backends),
            ip_restriction: restriction(policies),
            traffic_policy: policy,
          };
          const route = fc
            .record({
              match_type: fc.constantFrom("exact_path", "path_prefix"),
              match: fc.constantFrom("/", "/a", "/b"),
            })
            .chain((key) =>
              part<object>({
                ...texts,
                ...modules,
                circuit_breaker: part({
                  enabled,
                  num_buckets: fc.constantFrom(10, 11),
                  error_threshold_percentage: fc.constantFrom(0, 0.5),
                }),
                compression: part({ enabled }),
                request_headers: part({ enabled, add: headers, remove: listOf(["X-C", "x-d"]) }),
                user_agent_filter: part({ allow: listOf(["a", "(?i)b"]) }),
                webhook_verification: fc.constantFrom(
                  { provider: "sns" },
                  { provider: "stripe", secret: "${SECRET}" },
                ),
              }).map((rest) => ({ ...key, ...rest })),
            );
          const routes = fc.uniqueArray(route, {
            selector: ({ match_type, match }) => match_type + match,
            maxLength: 4,
          });
          const tls = fc.constantFrom<object>(
            {},
            { mutual_tls: {} },
            { mutual_tls: {}, tls_termination: {} },
            { tls_termination: { terminate_at: "upstream" } },
            { mutual_tls: { enabled: false }, tls_termination: { terminate_at: "upstream" } },
          );
          return fc.record({
            ip_policies: fc.constant(ip_policies),
            http_response_backends: fc.constant(http_response_backends),
            static_backends: fc.constant(static_backends),
            weighted_backends: fc.constant(weighted_backends),
            failover_backends: fc.constant(failover_backends),
            tcp_edges: section("tcp", 2, () => part<object>({ ...edges, ...modules })),
            tls_edges: section("tls", 2, () =>
              fc
                .tuple(part<object>({ ...edges, ...modules }), tls)
                .map(([edge, modules]) => ({ ...edge, ...modules })),
            ),
            https_edges: section("https", 2, () => part<object>({ ...edges, routes })),
          });
        });
      });
  });

test("any file can be applied after any other", async () => {
  const env = { SECRET: "s" };
  const run = async (on: TestService, ...args: string[]): Promise<Outcome> => {
    const outcome = await edge(on, args, { env });
    const expected = args[0] === "apply" ? [0, 3] : [0];
    assert(expected.includes(outcome.code ?? 1), `${args.join(" ")}: ${outcome.stdout}${outcome.stderr}`);
    return outcome;
  };
  const settle = async (on: TestService, file: string, value?: object): Promise<void> => {
    if (value) writeFileSync(pathIn(file), JSON.stringify(value));
    await run(on, "apply", file, "--yes", ACCEPT_ALL, "--prune", "--create-all");
    assert.equal((await run(on, "diff", file, "--prune")).stdout, "No differences.\n");
  };
  await fc.assert(
    fc.asyncProperty(world, world, async (first, second) => {
      await settle(service, "world.json", first);
      await settle(service, "world.json", second);
      // An export is the same after any history and after applying only the exported file.
      for (const file of ["a.yaml", "a.yaml.ids.json", "b.yaml"]) rmSync(pathIn(file), { force: true });
      copyFileSync(pathIn("world.json.ids.json"), pathIn("a.yaml.ids.json"));
      await run(service, "export", "a.yaml");
      const variables = textOf("a.yaml").replaceAll(/\$\{(?!NOT_A|v\})\w+\}/g, "${SECRET}");
      writeFileSync(pathIn("a.yaml"), variables);
      await settle(other, "a.yaml");
      copyFileSync(pathIn("a.yaml.ids.json"), pathIn("b.yaml.ids.json"));
      await run(other, "export", "a.yaml");
      assert.equal(textOf("a.yaml"), variables);
      await run(other, "export", "b.yaml");
      const again = textOf("b.yaml").replace(other.url, service.url);
      assert.equal(again.replaceAll(/\$\{(?!NOT_A|v\})\w+\}/g, "${SECRET}"), variables);
    }),
    { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 120_000 },
  );
});
