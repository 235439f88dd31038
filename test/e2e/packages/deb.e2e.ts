import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask } from "../../../packages/agent/src/admin_socket.ts";
import { end as endOf } from "../support/children.ts";
import { freePort } from "../support/ports.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { until } from "../support/wait.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

/*
 * The Debian package of the agent: checked by lintian, installed on this machine, started with the command of its unit, upgraded while it
 * serves traffic, and purged. Runs as root where dpkg is, in CI: it changes the system.
 */

const has = (command: string): boolean => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
const isPossible =
  process.getuid?.() === 0 && has("dpkg-deb") && has("haproxy") && process.env["CI"] !== undefined;
const skip = isPossible
  ? false
  : "needs root, dpkg and HAProxy, and changes the system: it runs with CI=true";

const KEY = "key-of-the-tests-of-packages";
const STATE = "/var/lib/edge-agent";
const folder = mkdtempSync(join(tmpdir(), "edge-deb-test-"));
let worker: RunningWorker;
let agent: ChildProcess | undefined;

const build = (version: string): string => {
  execFileSync(process.execPath, ["scripts/deb.ts", folder, "--version", version], { stdio: "inherit" });
  return join(folder, `edge-agent_${version}_all.deb`);
};
const dpkg = (...args: string[]): string =>
  execFileSync("dpkg", args, {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });

before(async () => {
  if (!isPossible) return;
  execFileSync("npm", ["run", "build", "-w", "packages/agent"], { stdio: "ignore" });
  const persist = join(folder, "database");
  migrate(persist);
  worker = await startWorker({
    bundle: workerBundle(),
    persist,
    bindings: { ROOT_API_KEY: KEY, SEALING_KEYS: `a:${Buffer.alloc(32).toString("base64")}` },
  });
});

after(async () => {
  await end();
  if (isPossible) spawnSync("dpkg", ["--purge", "edge-agent"]);
  await worker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends the agent like `systemctl stop`. */
async function end(): Promise<void> {
  if (agent) assert.ok(await endOf(agent), "the agent does not end on SIGTERM");
}

/** Starts the command of the unit as systemd would: as its user, with the variables of its file and its directory of state. */
function start(): ChildProcess {
  const unit = readFileSync("/lib/systemd/system/edge-agent.service", "utf8");
  const setting = (name: string): string =>
    new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? assert.fail(name);
  const variables = Object.fromEntries(
    readFileSync(setting("EnvironmentFile"), "utf8")
      .split("\n")
      .flatMap((line) => (/^[A-Z]/.test(line) ? [line.split(/=(.*)/s, 2)] : [])),
  );
  const command = setting("ExecStart").replace(/\$(\w+)/g, (_, name: string) => String(variables[name]));
  const directory = `/var/lib/${setting("StateDirectory")}`;
  const user = setting("User");
  execFileSync("install", ["-d", "-o", user, "-g", user, "-m", setting("StateDirectoryMode"), directory]);
  const [program = "", ...args] = command.split(" ");
  const child = spawn("setpriv", ["--reuid", user, "--regid", user, "--clear-groups", program, ...args], {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...variables },
    stdio: "ignore",
  });
  agent = child;
  return child;
}

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(worker.origin + path, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, "Service-Version": "2", "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return Object(await response.json());
}

test("lintian finds no errors", { skip: skip || (has("lintian") ? false : "lintian is missing") }, () => {
  const { status, stdout } = spawnSync("lintian", ["--fail-on", "error", build("0.0.1")], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
});

test(
  "the package is installed, serves, is upgraded without an interruption, and purged",
  { skip, timeout: 120_000 },
  async () => {
    dpkg("--install", build("0.0.1"));
    assert.match(execFileSync("edge-agent", ["--help"], { encoding: "utf8" }), /^Usage: edge-agent/);
    assert.equal(statSync("/etc/edge-agent/agent.env").mode & 0o777, 0o600);
    assert.equal(statSync("/etc/edge-agent/certificates").mode & 0o777, 0o750);
    assert.match(
      execFileSync("zcat", ["/usr/share/man/man8/edge-agent.8.gz"], { encoding: "utf8" }),
      /agent\.env/,
    );

    const upstream = createServer((socket) => socket.end("served")).listen(0, "127.0.0.1");
    upstream.unref();
    await once(upstream, "listening");
    const port = await freePort();
    const { port: upstreamPort } = Object(upstream.address());
    const { id: backend_id } = await call("POST", "/backends/static", {
      address: `127.0.0.1:${upstreamPort}`,
    });
    await call("POST", "/edges/tcp", { hostports: [`127.0.0.1:${port}`], backend: { backend_id } });
    const { token } = await call("POST", "/api_keys", { role: "agent" });
    const options = [
      `--service ${worker.origin} --name packaged --certificates /etc/edge-agent/certificates`,
      "--allow-upstream 127.0.0.0/8 --allow-listen 127.0.0.0/8 --poll 0.2",
    ].join(" ");
    writeFileSync(
      "/etc/edge-agent/agent.env",
      `EDGE_AGENT_KEY=${String(token)}\nEDGE_AGENT_OPTIONS=${options}\n`,
    );
    chmodSync("/etc/edge-agent/agent.env", 0o600);
    start();

    const reached = async (): Promise<boolean> => {
      const socket = connect(port, "127.0.0.1");
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of socket) chunks.push(Buffer.from(chunk));
      } finally {
        socket.destroy();
      }
      return Buffer.concat(chunks).toString() === "served";
    };
    await until("traffic is served", () => reached().catch(() => false));
    const master = async (): Promise<string> =>
      /^(\d+) +master/m.exec(await ask(join(STATE, "run", "master.sock"), "show proc"))?.[1] ?? "";
    // A worker serves before the master's socket accepts connections.
    const before = await until("the master answers", () => master().catch(() => ""));

    const archive = build("0.0.2");
    let failures = 0;
    let requests = 0;
    const upgrade = new AbortController();
    const load = (async () => {
      while (!upgrade.signal.aborted) {
        requests += 1;
        if (!(await reached().catch(() => false))) failures += 1;
      }
    })();
    dpkg("--install", archive);
    // What `postinst` and systemd do with the unit: only the agent is ended, and another one starts.
    agent?.kill("SIGKILL");
    const { applied_version: earlier } = await call("GET", "/agents/packaged");
    start();
    await call("POST", "/ip_policies", { description: "a change" });
    await until("the new agent works", async () => {
      const { applied_version, ok } = await call("GET", "/agents/packaged").catch(() => Object());
      return ok === true && Number(applied_version) > Number(earlier);
    });
    upgrade.abort();
    await load;
    assert.ok(requests > 50, `${requests} requests`);
    assert.equal(failures, 0);
    assert.equal(await master(), before, "HAProxy has kept running");
    assert.match(readFileSync("/etc/edge-agent/agent.env", "utf8"), /EDGE_AGENT_KEY=\w+/);

    await end();
    dpkg("--remove", "edge-agent");
    assert.ok(existsSync("/etc/edge-agent/agent.env") && !existsSync("/usr/bin/edge-agent"));
    dpkg("--purge", "edge-agent");
    for (const left of ["/etc/edge-agent", STATE, "/lib/systemd/system/edge-agent.service"])
      assert.ok(!existsSync(left), left);
  },
);
