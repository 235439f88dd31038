import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { agentProgram, commandNode, edgeProgram } from "../support/commands.ts";
import { afterReport, blocksOf } from "../support/markdown.ts";
import { freePort, listen } from "../support/ports.ts";
import { until } from "../support/wait.ts";
import { startNames, startPebble } from "./pebble.ts";
import { ROOT_API_KEY, startIssuing } from "./world.ts";

/*
 * The short way of docs/https.md, as written, with a machine of its own: the deployed Worker, Pebble as the authority, the agent and
 * HAProxy. Only the authority's URL and the ports differ.
 */

const HOST = "store.example.com";

const blockOf = (page: string, name: string): string => {
  const found = blocksOf(page).find((block) => block.name === `${page}, ${name}`);
  if (!found) throw new Error(`${page} has no block ${name}`);
  return found.code;
};

// Sockets in the state directory need a short path.
const folder = mkdtempSync(join(tmpdir(), "em"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of commands that run what this repository builds. */
function commands(): string {
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(commandNode, join(bin, "node"));
  for (const [name, program] of [
    ["edge", edgeProgram()],
    ["edge-agent", agentProgram()],
  ] as const)
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${commandNode}' '${program}' "$@"\n`, { mode: 0o755 });
  return bin;
}

test("an issuer, an edge and an agent: a page that clients trust, and a redirect to it", async (t) => {
  const [port, httpPort] = [await freePort(), await freePort()];
  const names = await startNames(httpPort);
  t.after(() => names.stop());
  const pebble = await startPebble(folder, names);
  t.after(() => pebble.stop());
  const service = await startIssuing({ roots: pebble.root });
  t.after(() => service.stop());
  const upstream = createServer((_, response) => response.end("Hello, trusted\n"));
  const upstreamPort = await listen(upstream);
  t.after(() => upstream.close());
  const root = join(folder, "root.pem");
  writeFileSync(root, await pebble.issuingRoot());
  // What DNS and the trust store of a client know.
  writeFileSync(join(folder, ".curlrc"), `resolve = "${HOST}:${port}:127.0.0.1"\n`);

  const code = `${blockOf("README.md", "Serve a page, sh")}\n${blockOf("docs/https.md", "The short way, sh")}`
    .replaceAll("http://localhost:8787", service.origin)
    .replaceAll("local-development-key", ROOT_API_KEY)
    .replace("https://acme-v02.api.letsencrypt.org/directory", pebble.directoryUrl)
    .replaceAll("127.0.0.1:4010", `127.0.0.1:${upstreamPort}`)
    .replaceAll(`${HOST}:443`, `${HOST}:${port}`);
  const bin = commands();
  const shell = spawn("sh", ["-euc", `${afterReport(code)}\nkill -0 $STORE_AGENT; echo done; wait`], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      HOME: folder,
      PATH: `${bin}:${process.env["PATH"]}`,
      CURL_CA_BUNDLE: root,
      EDGE_AGENT_TEST_PORTS: `${httpPort} ${port}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(shell, "exit");
  t.after(async () => {
    if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), "SIGTERM");
    await ended;
  });
  await until("all commands have run", () => {
    if (shell.exitCode !== null) throw new Error(printed);
    return /^done$/m.test(printed);
  }).catch((error: unknown) => {
    throw new Error(printed, { cause: error });
  });
  assert.match(printed, /^Hello, trusted$/m);
  assert.match(printed, new RegExp(`^valid +${HOST} +ends \\S+Z +on store-machine`, "m"));

  const redirect = get({ port: httpPort, path: "/a?b=c", headers: { host: HOST }, agent: false });
  const [response] = await once(redirect, "response");
  response.resume();
  const { statusCode, headers } = response;
  assert.deepEqual([statusCode, headers.location], [308, `https://${HOST}:${port}/a?b=c`]);
  const { state, issuer, agents } = await until("the certificate is in the inventory", async () => {
    const { certificates } = await service.call("GET", `/certificates?host=${HOST}`);
    const [found] = Array.isArray(certificates) ? certificates : [];
    return Object(found)["issuer"] ? Object(found) : undefined;
  });
  assert.deepEqual([state, agents.length], ["valid", 1]);
  assert.match(issuer.id, /^ci_/);
  const { events } = await service.call("GET", "/events?type=certificate_issued.v0");
  assert.equal(Array.isArray(events) ? events.length : 0, 1);
  const own = readFileSync(join(folder, ".edge-agent-store", "issued", `${HOST}.pem`), "utf8");
  assert.match(own, /PRIVATE KEY/);
});
