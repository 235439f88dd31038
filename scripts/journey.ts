// Counts the files whose functions run during a request, and how often control moves from one file to another: npm run
// journey [-- --files]. Every function of src/ is instrumented, and the Worker runs in workerd. Fewer is easier to follow.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";
import { parseSync, Visitor } from "oxc-parser";
import * as z from "zod";
import { databaseFolder, migrate } from "../test/e2e/support/prepared.ts";
import { startWorker } from "../test/e2e/support/workerd.ts";

const { values: options } = parseArgs({ options: { files: { type: "boolean", default: false } } });

interface Body {
  type: string;
  start: number;
  end: number;
}

/** A module's code with a call at the start of each function: `ENTER(file)`. */
function instrumented(file: string, code: string): string {
  const enter = `globalThis.ENTER?.(${JSON.stringify(relative("src", file))})`;
  const edits: { at: number; text: string }[] = [];
  const note = ({ body }: { body: Body | null }): void => {
    if (!body) return;
    if (body.type === "BlockStatement") edits.push({ at: body.start + 1, text: `${enter};` });
    else edits.push({ at: body.start, text: `(${enter}, ` }, { at: body.end, text: ")" });
  };
  const visitor = new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  });
  visitor.visit(parseSync(file, code).program);
  let result = code;
  for (const { at, text } of edits.toSorted((a, b) => b.at - a.at))
    result = result.slice(0, at) + text + result.slice(at);
  return result;
}

const instrument: Plugin = {
  name: "instrument",
  setup: (bundle) =>
    bundle.onLoad({ filter: /\/(?:src|packages\/model)\/.*\.ts$/ }, ({ path }) => ({
      contents: instrumented(relative(".", path), readFileSync(path, "utf8")),
      loader: "ts",
    })),
};

const Journey = z.object({ status: z.number(), body: z.string(), entered: z.array(z.string()) });
const Created = z.object({ id: z.string(), token: z.string().nullish() });

/** The Worker, whose responses carry the files that were entered, in order. */
const ENTRY = `
  import worker from "./src/index.ts";
  export default {
    async fetch(request, env, context) {
      const entered = [];
      globalThis.ENTER = (file) => void entered.push(file);
      const response = await worker.fetch(request, env, context);
      const body = await response.text();
      delete globalThis.ENTER;
      return Response.json({ status: response.status, body, entered });
    },
  };
`;

const folder = mkdtempSync(join(tmpdir(), "journey-"));
try {
  await build({
    stdin: { contents: ENTRY, resolveDir: ".", loader: "ts" },
    outfile: join(folder, "index.js"),
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    plugins: [instrument],
  });
  mkdirSync(databaseFolder(folder), { recursive: true });
  migrate(folder);
  const bindings = { ROOT_API_KEY: "root", SEALING_KEYS: `one:${btoa("1".repeat(32))}` };
  const worker = await startWorker({ bundle: folder, persist: folder, bindings });
  try {
    await report(worker.origin);
  } finally {
    await worker.dispose();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Sends requests, each twice so that nothing is done for the first time, and prints what the second one entered. */
async function report(origin: string): Promise<void> {
  let token = "root";
  const call = async (method: string, path: string, body?: object): Promise<z.output<typeof Journey>> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        "Service-Version": "2",
        "Content-Type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const journey = Journey.parse(await response.json());
    if (journey.status >= 300) throw new Error(`${method} ${path}: ${journey.status} ${journey.body}`);
    return journey;
  };
  const create = async (path: string, body: object): Promise<string> =>
    Created.parse(JSON.parse((await call("POST", path, body)).body)).id;
  // As most callers: with a key that the isolate has seen.
  token = Created.parse(JSON.parse((await call("POST", "/api_keys", { role: "editor" })).body)).token ?? "";
  const policy = await create("/ip_policies", {});
  const backend_id = await create("/backends/static", { address: "a.example.com:80" });
  const edge = await create("/edges/tcp", { hostports: ["a.example.com:5432"], backend: { backend_id } });
  const requests: [string, string, object?][] = [
    ["GET", `/edges/tcp/${edge}`],
    ["GET", "/edges/tcp"],
    ["POST", "/ip_policies", { description: "one" }],
    ["PATCH", `/edges/tcp/${edge}`, { ip_restriction: { ip_policy_ids: [policy] } }],
    [
      "POST",
      "/transactions",
      {
        operations: [policy, policy].map((id) => ({
          method: "PATCH",
          path: `/ip_policies/${id}`,
          body: { description: "two" },
        })),
      },
    ],
    ["GET", "/snapshot"],
  ];
  for (const [method, path, body] of requests) {
    await call(method, path, body);
    const { entered } = await call(method, path, body);
    const moves = entered.filter((file, i) => i > 0 && file !== entered[i - 1]).length;
    const files = new Set(entered);
    console.info(
      `${method.padEnd(6)}${path.replace(edge, "{id}").padEnd(22)}${files.size} files, ${moves} moves`,
    );
    if (options.files) console.info([...files].map((file) => `  ${file}`).join("\n"));
  }
}
