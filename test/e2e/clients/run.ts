// Runs common tools against the contract and /mcp: npm run test:tools. The tools have their own folder and lock file, because
// they are larger than all other dependencies. They are installed when they are first needed, and in CI.
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { install } from "../support/install.ts";
import { freePort, listen } from "../support/ports.ts";
import { type Service, startService } from "../support/service.ts";
import { failuresIn, prepareCollection } from "./postman.ts";

const run = promisify(execFile);
const HERE = join("test", "e2e", "clients");
const GENERATED = join(HERE, "generated");
const MEGABYTES = 2 ** 20;
/** In milliseconds: far longer than any tool takes. */
const TIMEOUT = 300_000;

/** Runs a command of this folder's packages with Node, in the project's folder. */
const tool = (name: string, parameters: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [join(HERE, "node_modules", ".bin", name), ...parameters], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * MEGABYTES,
    timeout: TIMEOUT,
  });

/** @throws for any finding of Spectral's `oas` ruleset in the committed document */
const spectral = async (): Promise<string> => {
  await tool("spectral", [
    "lint",
    "--ruleset",
    join(HERE, "spectral.yaml"),
    "--fail-severity",
    "hint",
    "packages/contract/openapi.json",
  ]);
  return "0 findings";
};

/** Compiles the program of a generated client with `--strict`, and runs it. */
async function compileAndRun(name: string, service: Service): Promise<string> {
  const program = join(HERE, "programs", `${name}.ts`);
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--noEmit", "--types", "node"];
  await tool("tsc", [
    ...strict,
    "--target",
    "es2022",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    program,
  ]);
  const bundle = join(GENERATED, `${name}.mjs`);
  await build({ entryPoints: [program], bundle: true, platform: "node", format: "esm", outfile: bundle });
  await run(process.execPath, [bundle], {
    env: { ...process.env, API: service.origin, KEY: service.key, RECEIVER_PORT: String(receiver) },
    timeout: TIMEOUT,
  });
  return "compiles under --strict, runs";
}

/** @throws for a tool of `/mcp` with a schema that some clients would not understand */
const inspector = async (_: string, { origin, key }: Service): Promise<string> => {
  const { stdout, stderr } = await tool("mcp-inspector", [
    "--cli",
    `${origin}/mcp`,
    "--transport",
    "http",
    "--header",
    `Authorization: Bearer ${key}`,
    "--method",
    "tools/list",
    "--strict",
  ]);
  if (/warning/i.test(stderr)) throw new Error(stderr);
  const { tools } = JSON.parse(stdout) as { tools: unknown[] };
  return `${tools.length} tools, no warnings`;
};

/** Scenarios of the protocol's own tests; the others need tools, resources and prompts that only a test server has. */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

/** The tests know no keys, so a proxy adds one. Host and Origin stay as they are. */
const conformance = async (_: string, { origin, key }: Service): Promise<string> => {
  const { port } = new URL(origin);
  const proxy = createServer((given, response) => {
    const headers = { ...given.headers, authorization: `Bearer ${key}` };
    const sent = request(
      { host: "localhost", port, path: given.url, method: given.method, headers },
      (got) => {
        response.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(response);
      },
    );
    given.pipe(sent);
  });
  try {
    const own = await listen(proxy);
    for (const scenario of SCENARIOS)
      await tool("conformance", ["server", "--url", `http://localhost:${own}/mcp`, "--scenario", scenario]);
    return `${SCENARIOS.length} scenarios pass`;
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
};

const checks: Record<string, (document: string, service: Service) => Promise<string>> = {
  spectral,
  "@modelcontextprotocol/inspector": inspector,
  "@modelcontextprotocol/conformance": conformance,
  "openapi-typescript": async (document, service) => {
    await tool("openapi-typescript", [document, "--output", join(GENERATED, "openapi_typescript.d.ts")]);
    await compileAndRun("webhook_receiver", service);
    return compileAndRun("openapi_typescript", service);
  },
  "@hey-api/openapi-ts": async (document, service) => {
    await tool("openapi-ts", ["--input", document, "--output", join(GENERATED, "hey_api"), "--no-log-file"]);
    return compileAndRun("hey_api", service);
  },
  orval: async (document, service) => {
    const output = join(GENERATED, "orval.ts");
    await tool("orval", ["--config", join(HERE, "orval.config.mjs")], {
      DOCUMENT: resolve(document),
      OUTPUT: resolve(output),
    });
    return compileAndRun("orval", service);
  },
  postman: async (document, service) => {
    const [collection, report] = [join(GENERATED, "postman.json"), join(GENERATED, "newman.json")];
    const options = "parametersResolution=Example,enableOptionalParameters=false";
    await tool("openapi2postmanv2", ["-s", document, "-o", collection, "-O", options]);
    const count = prepareCollection(collection);
    const reporter = ["--reporters", "json", "--reporter-json-export", report];
    await tool("newman", ["run", collection, "--env-var", `bearerToken=${service.key}`, ...reporter]);
    const failures = failuresIn(report);
    if (failures.length > 0)
      throw new Error(`${failures.length} of ${count} failed: ${JSON.stringify(failures)}`);
    return `${count} of ${count} requests succeed`;
  },
};

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** The output of a failed command, or another error. */
const reasonOf = (error: unknown): string => {
  const { stdout = "", stderr = "" } = Object(error);
  return `${String(error)}\n${stdout}${stderr}`;
};

/** The names of the tools to be run; all if there are none. */
const wanted = process.argv.slice(2);

const started = performance.now();
await install(HERE);
console.info(`installed: ${seconds(started)}`);

/** Where the programs receive webhooks. */
const receiver = await freePort();
const service = await startService(undefined, {
  TARGET_ENDPOINTS: JSON.stringify({ webhook: `http://127.0.0.1:${receiver}` }),
});
try {
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED, { recursive: true });
  const document = join(GENERATED, "openapi.json");
  writeFileSync(document, await (await fetch(`${service.origin}/openapi.json`)).text());
  for (const [name, check] of Object.entries(checks)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const from = performance.now();
    try {
      console.info(`${name}: ${await check(document, service)} (${seconds(from)})`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name}: FAILED (${seconds(from)})\n${reasonOf(error)}`);
    }
  }
} finally {
  await service.stop();
}
console.info(`all: ${seconds(started)}`);
