import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { UserError } from "../../../packages/cli/src/errors.ts";
import { contentOf } from "../../../packages/cli/src/objects.ts";
import { readSource } from "../../../packages/cli/src/source.ts";
import { edgeProgram } from "../support/commands.ts";
import { listen } from "../support/ports.ts";
import { cleanUp, edge, folder, type Outcome, pathIn } from "./services.ts";

/*
 * The command reports each error in one line and in bounded time, for any file and any response.
 */

before(() => void edgeProgram());
after(cleanUp);

/** Nothing listens at this address. A readable file leads to this error. */
const nowhere = { url: "http://127.0.0.1:9", key: "key" };
const READ = "Cannot reach http://127.0.0.1:9: bad port.";
const SECRET = "AKIAIOSFODNN7EXAMPLE";

const write = (name: string, text: string | Buffer): string => {
  mkdirSync(pathIn("work"), { recursive: true });
  writeFileSync(join(pathIn("work"), name), text);
  return name;
};

const inWork = (args: string[]): Promise<Outcome> => edge(nowhere, args, { cwd: pathIn("work") });

/** Runs `edge diff` on a file and returns its errors. */
async function diffOf(name: string, ...flags: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await inWork(["diff", name, ...flags]);
  assert.deepEqual([code, stdout], [1, ""], stderr);
  return stderr.trimEnd().split("\n");
}

/** An alias bomb: each name refers to the previous name nine times. */
const bomb = "abcdefghi"
  .split("")
  .map(
    (name, index, all) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => (index === 0 ? "1" : `*${all[index - 1]}`)).join()}]\n`,
  )
  .join("");
const chain = `a0: &a0 [1]\n${Array.from({ length: 5_000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]\n`).join("")}`;
const anchored = (count: number): string =>
  `tcp_edges:\n  a: &a { description: x }\n${Array.from({ length: count }, (_, n) => `  b${n}: *a\n`).join("")}`;

/** Files that once took minutes, took gigabytes or exhausted the stack, and misleading files. */
const hostile: Record<string, [name: string, text: string | Buffer, said: string | RegExp]> = {
  "an alias bomb": ["f.yaml", bomb, /^f\.yaml:6:\d+: Aliases expand to more than 100,000 values\.$/],
  "too many aliases": [
    "f.yaml",
    anchored(50_001),
    /^f\.yaml:\d+:\d+: Aliases expand to more than 100,000 values\.$/,
  ],
  "an alias of what it is in": [
    "f.yaml",
    "tcp_edges: &a\n  x: *a\n",
    "f.yaml:2:6: This alias refers to a value that contains it.",
  ],
  "an alias that is all": [
    "f.yaml",
    "a: &a [*a]\n",
    "f.yaml:1:8: This alias refers to a value that contains it.",
  ],
  "a chain of aliases": ["f.yaml", chain, "f.yaml:100:12: Nested more than 100 levels deep."],
  "an alias of nothing": [
    "f.yaml",
    "a: *x\n",
    "f.yaml:1:4: There is no anchor with this name before this alias.",
  ],
  "deep brackets": ["f.yaml", "[".repeat(1_000_000), "f.yaml:1:101: Nested more than 100 levels deep."],
  "deep dashes": ["f.yaml", "- ".repeat(100_000), /^f\.yaml:1:\d+: Nested more than 100 levels deep\.$/],
  "deep JSON": [
    "f.json",
    '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
    /^f\.json:1:\d+: Nested more than 100 levels deep\.$/,
  ],
  "a long string": ["f.json", `{"${"x".repeat(5_000_000)}": 1}`, /^f\.json:1:2: Unknown; accepted: /],
  "a long escape": [
    "f.json",
    `{"tcp_edges": "${"\\u0041".repeat(500_000)}"}`,
    /^f\.json:1:15: tcp_edges: Expected/,
  ],
  "many words": ["f.yaml", `[${"a,".repeat(1_000_000)}]`, /^f\.yaml:1:\d+: .* more than 2,000,000 tokens/],
  "a large file": [
    "f.yaml",
    "#".repeat(9_000_000),
    "f.yaml is larger than 8 MiB. Divide it into several files.",
  ],
  "a merge key": [
    "f.yaml",
    "tcp_edges:\n  a: &a {}\n  b:\n    <<: *a\n",
    /^f\.yaml:4:5: tcp_edges\.b\.<<: Unknown; /,
  ],
  "YAML 1.1": ["f.yaml", "%YAML 1.1\n---\ntcp_edges: {}\n", /^f\.yaml:1:1: Only YAML 1\.2 is supported/],
  "two documents": ["f.yaml", "a: 1\n---\nb: 1\n", "f.yaml:2:1: The file has more than one document."],
  "a binary": [
    "f.yaml",
    "a: !!binary aGVsbG8=\n",
    "f.yaml:1:13: Expected a string, a finite number, true, false or null.",
  ],
  infinity: ["f.yaml", "a: .inf\n", "f.yaml:1:4: Expected a string, a finite number, true, false or null."],
  "a list as a name": ["f.yaml", "? [a]\n: 1\n", /^f\.yaml:1:3: Expected a string as a name/],
  "another encoding": ["f.yaml", Buffer.from("a: \xe9\n", "latin1"), "f.yaml is not UTF-8 text."],
  "control characters": [
    "f.yaml",
    'tcp_edges: {"a\\e[31m\\n\\u202e": {}}\n',
    /^f\.yaml:1:13: tcp_edges\.a\\u001b\[31m\\u000a\\u202e: /,
  ],
  "a byte order mark": ["f.yaml", "\ufefftcp_edges: {}\n", READ],
  "shared parts": ["f.yaml", anchored(100), READ],
  "a credentials file": [
    "f.yaml",
    `[default]\naws_access_key_id = ${SECRET}\n`,
    "f.yaml:2:1: Not valid YAML: unexpected text.",
  ],
  "a secret as a tag": ["f.yaml", `a: !${SECRET} b\n`, "f.yaml:1:4: Unknown tag."],
  "a secret as a name": ["f.yaml", `${SECRET}: 1\n`, /^f\.yaml:1:1: Unknown; accepted: /],
  "a secret in JSON": ["f.json", `{"a": ${SECRET}}`, "f.json:1:7: Not valid JSON: unexpected text."],
  "a secret after a string": ["f.yaml", `a: "b" ${SECRET}\n`, "f.yaml:1:8: Not valid YAML: unexpected text."],
  "a secret in an escape": [
    "f.yaml",
    `a: "\\xZZ${SECRET}"\n`,
    /^f\.yaml:1:\d+: Unknown escape sequence in a string\.$/,
  ],
  "a secret in a directive": ["f.yaml", `%${SECRET}\n---\na: 1\n`, /^f\.yaml:1:\d+: Unknown directive\.$/],
  "a secret in a block": [
    "f.yaml",
    `a: |${SECRET}\n  b\n`,
    /^f\.yaml:1:\d+: Not valid YAML: unexpected text\.$/,
  ],
};

test("a hostile file is rejected quickly, and the error names the place without quoting the file", async (t) => {
  for (const [what, [name, text, said]] of Object.entries(hostile))
    await t.test(what, { timeout: 60_000 }, async () => {
      const [first = "", ...others] = await diffOf(write(name, text));
      if (typeof said === "string") assert.equal(first, said);
      else assert.match(first, said);
      assert.equal([first, ...others].join().includes(SECRET), false);
    });
});

const fragments = [
  "- ", "? ", ": ", ":", "[", "]", "{", "}", ",", "&a ", "*a", "*a ", "!!str ", "!!set ", "!x ", "<<: ", "|\n", ">-\n", '"', "'",
  "\n", "\n  ", "\n    ", "\t", "#", "%YAML 1.1\n", "---\n", "...\n", "a", "b: ", "null", "~", ".nan", "0x1", "1e999", "\r\n",
  "tcp_edges: ", "ip_policies:\n  ", "rules: ", "{ action: allow, cidr: '::/0' }", "__proto__: ", "constructor", "\0", "\u2028",
  "\\", "\\u", "é", "\u{1f600}", "@", "`", "\ufeff",
]; // prettier-ignore
const soup = fc.array(fc.constantFrom(...fragments), { maxLength: 80 }).map((parts) => parts.join(""));
const repeated = fc
  .tuple(fc.array(fc.constantFrom(...fragments), { maxLength: 4 }), fc.integer({ min: 1, max: 3_000 }))
  .map(([parts, count]) => parts.join("").repeat(count));
const sections = fc.dictionary(
  fc.constantFrom("ip_policies", "tcp_edges", "https_edges", "event_destinations", "x"),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 5 })),
);
const json = fc.oneof(sections, fc.jsonValue()).map((value) => JSON.stringify(value));
const nested = fc
  .integer({ min: 1, max: 200 })
  .map((depth) => `${'{"tcp_edges":['.repeat(depth)}1${"]}".repeat(depth)}`);

test("any text is either a valid file or an error", () => {
  const RUNS = Number(process.env["RUNS"] ?? 10) * 30;
  fc.assert(
    fc.property(
      fc.oneof(soup, repeated, json, nested),
      fc.constantFrom("fuzz.yaml", "fuzz.json"),
      (text, name) => {
        const file = pathIn(write(name, text).replace(/^/, "work/"));
        const started = performance.now();
        try {
          contentOf(readSource(file, true), () => undefined, []);
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          for (const line of error.lines) assert.match(line, /^\S+:\d+:\d+: [^\n]+$/);
        }
        assert(performance.now() - started < 20_000);
      },
    ),
    { numRuns: RUNS },
  );
});

test("symbolic links are only followed inside the working directory, unless --follow-symlinks is given", async () => {
  write("own.yaml", "tcp_edges: {}\n");
  mkdirSync(pathIn("elsewhere"));
  writeFileSync(pathIn("elsewhere/secret"), `${SECRET}: {\n`);
  const work = pathIn("work");
  symlinkSync("own.yaml", join(work, "inside.yaml"));
  symlinkSync(pathIn("elsewhere/secret"), join(work, "outside.yaml"));
  symlinkSync("outside.yaml", join(work, "chain.yaml"));
  symlinkSync(pathIn("elsewhere"), join(work, "folder"));
  symlinkSync("nothing", join(work, "dangling.yaml"));
  symlinkSync(pathIn("elsewhere/secret"), join(work, "own.yaml.ids.json"));
  symlinkSync(pathIn("work/own.yaml"), pathIn("elsewhere/out.yaml"));
  symlinkSync("secret", pathIn("elsewhere/beside.yaml"));
  const leads = (name: string): string =>
    `${name} leads out of the working directory through a symbolic link. Pass --follow-symlinks to follow it.`;
  assert.deepEqual(await diffOf("inside.yaml"), [READ]);
  for (const name of ["outside.yaml", "chain.yaml", "folder/secret"])
    assert.deepEqual(await diffOf(name), [leads(name)]);
  assert.deepEqual(await diffOf("own.yaml"), [leads("own.yaml.ids.json")], "its ids file is such a link");
  assert.deepEqual((await inWork(["export", "folder/new.yaml"])).stderr, `${leads("folder")}\n`);
  assert.match((await inWork(["problems", "own.yaml"])).stderr, /^own\.yaml\.ids\.json leads out of/);
  assert.match(
    (await diffOf("outside.yaml", "--follow-symlinks"))[0] ?? "",
    /^outside\.yaml:\d+:\d+: [^A]+$/,
  );
  assert.match(
    (await diffOf("dangling.yaml"))[0] ?? "",
    /^Cannot read dangling\.yaml: no such file or directory/,
  );
  // The user may name a file outside the working directory. A link there must stay in its directory.
  assert.match(
    (await diffOf("../elsewhere/beside.yaml"))[0] ?? "",
    /^\.\.\/elsewhere\/beside\.yaml:\d+:\d+: [^A]+$/,
  );
  const { stderr } = await edge(nowhere, ["diff", "out.yaml"], { cwd: pathIn("elsewhere") });
  assert.equal(stderr, `${leads("out.yaml")}\n`);
});

test("files that are not regular, readable or writable are one-line errors", async () => {
  execFileSync("mkfifo", [join(pathIn("work"), "pipe")]);
  const long = `${"x".repeat(300)}.yaml`;
  write("a.yaml", "tcp_edges: {}\n");
  mkdirSync(join(pathIn("work"), "a.yaml.ids.json"));
  for (const [args, said] of [
    [["diff", "pipe"], "pipe is a named pipe. Expected a regular file."],
    [["export", "pipe"], "pipe is a named pipe. Expected a regular file."],
    [["diff", "."], ". is a directory. Expected a regular file."],
    [["export", "."], ". is a directory. Expected a regular file."],
    [["diff", "/dev/zero"], "/dev/zero is a device. Expected a regular file."],
    [["diff", "a.yaml"], "a.yaml.ids.json is a directory. Expected a regular file."],
    [["export", "none/x.yaml"], "Cannot write none/x.yaml: no such file or directory (ENOENT)."],
    [
      ["export", "/nonexistent/x.yaml"],
      "Cannot write /nonexistent/x.yaml: no such file or directory (ENOENT).",
    ],
    [["export", "pipe/x.yaml"], "Cannot read pipe/x.yaml: not a directory (ENOTDIR)."],
    [["export", long], `Cannot read ${long}: name too long (ENAMETOOLONG).`],
    [
      ["diff", "\x1b[2J\n\u202e.yaml"],
      "Cannot read \\u001b[2J\\u000a\\u202e.yaml: no such file or directory (ENOENT).",
    ],
  ] as const) {
    const { code, stdout, stderr } = await inWork([...args]);
    assert.deepEqual([code, stdout, stderr], [1, "", `${said}\n`]);
  }
  assert.deepEqual(
    readdirSync(pathIn("work")).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

/** A server that returns the same response to every request. */
async function respondWith(
  status: number,
  body: string,
): Promise<{ url: string; key: string; stop: () => void }> {
  const server = createServer((_, response) =>
    response
      .writeHead(status, { "Content-Type": "application/json", "Service-Operation-Id": "op_1" })
      .end(body),
  );
  return { url: `http://127.0.0.1:${await listen(server)}`, key: "key", stop: () => void server.close() };
}

test("an unexpected error is one line and has its own exit status", async () => {
  const service = await respondWith(200, '{"ip_policies": 1}');
  try {
    const { code, stderr } = await edge(service, ["export"]);
    assert.equal(code, 70);
    assert.match(stderr, /^Unexpected error: TypeError: .* Set EDGE_DEBUG=1 to see the stack\.\n$/);
    const { stderr: stack } = await edge(service, ["export"], { env: { EDGE_DEBUG: "1" } });
    assert.match(stack, /^Unexpected error: .*\nTypeError: .*\n {4}at /);
  } finally {
    service.stop();
  }
});

test("messages from the service are escaped", async () => {
  const msg = "\x1b[2J\x9b31m\u202e\u200b\ud800\u2028\n\u{e0041}";
  const error = { error_code: "ERR_\x1b", status_code: 400, msg, details: { operation_id: "op_\x07" } };
  const service = await respondWith(400, JSON.stringify(error));
  try {
    write("hostile.yaml", "tcp_edges: {}\n");
    for (const args of [
      ["export"],
      ["watch"],
      ["problems"],
      ["diff", "work/hostile.yaml"],
      ["access", "edgtcp_1", "::1"],
    ]) {
      const { code, stdout, stderr } = await edge(service, args);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.equal(
        stderr,
        "\\u001b[2J\\u009b31m\\u202e\\u200b\\ud800\\u2028\\u000a\\udb40\\udc41 (400 ERR_\\u001b, op_\\u0007)\n",
      );
    }
  } finally {
    service.stop();
  }
});

test("only one module writes to the terminal, and only one accesses files", () => {
  const source = (name: string): string => readFileSync(join("packages", "cli", "src", name), "utf8");
  const names = readdirSync(join("packages", "cli", "src")).filter((name) => name.endsWith(".ts"));
  const using = (pattern: RegExp): string[] => names.filter((name) => pattern.test(source(name)));
  const terminal =
    /\bconsole(?:\.\w|\[)|\bstdout\b|\bstderr\b|emitWarning|createInterface|process\s*\[|node:(?:process|console|tty|readline)/;
  assert.deepEqual(using(terminal), ["output.ts"]);
  assert.deepEqual(using(/node:fs/), ["files.ts"]);
});

test("output that cannot be written is an error, but a closed pipe is not", async () => {
  const run = (command: string): string =>
    execFileSync("bash", ["-c", `${command}; echo "$? $(cat err)"`], {
      cwd: folder,
      env: {
        ...process.env,
        EDGE: join(process.cwd(), "packages", "cli", "bin", "edge.js"),
        NODE: process.execPath,
      },
      encoding: "utf8",
    }).trim();
  assert.equal(
    run('"$NODE" "$EDGE" --help > /dev/full 2> err'),
    "1 Cannot write the output: no space left on device (ENOSPC).",
  );
  assert.equal(run('set -o pipefail; "$NODE" "$EDGE" --help 2> err | true'), "0");
});
