// Prepares a working copy for `wrangler dev` and starts it: local secrets, local migrations, then the server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, parseEnv, stripVTControlCharacters } from "node:util";

const env = {
  ...process.env,
  // Nothing here needs the network: no request metadata, no metrics, no update banner.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
};

const SECRETS = ".dev.vars";
const EXAMPLE = ".dev.vars.example";

/** Lines that `wrangler dev` prints about itself. All other lines are forwarded. */
const NOISE = [
  /^\[custom build\] Running: /,
  /^Using secrets defined in /,
  /^Your Worker has access to the following bindings:/,
  /^Binding +Resource +Mode$/,
  /^env\.\w+ /,
  /^⎔ Starting local server/,
  /^\[wrangler:info\] ✨ Parsed \d+ valid (?:header|redirect) rules?/,
  // The service writes its own log line for each request.
  /^\[wrangler:info\] [A-Z]+ \/\S* \d{3} /,
  /^▲ \[WARNING\] Scheduled Workers are not automatically triggered/,
  /^ +To manually trigger a scheduled event, run:/,
  /^ +curl ".*\/scheduled"$/,
  /^ +For more details, see \S*\/cron-triggers\//,
];

/**
 * Prints wrangler's lines, except noise and the empty lines around noise.
 *
 * @param ready called when the server accepts requests, or cannot start until a file changes
 */
async function passOn(from: Readable, to: NodeJS.WriteStream, ready: () => void): Promise<void> {
  let isAfterNoise = true;
  for await (const line of createInterface({ input: from })) {
    const text = stripVTControlCharacters(line);
    const [, address] = /^\[wrangler:info\] Ready on (\S+)/.exec(text) ?? [];
    if (address !== undefined) {
      ready();
      to.write(welcome(address));
      runCron(address);
    } else if (NOISE.some((pattern) => pattern.test(text))) isAfterNoise = true;
    else if (text !== "" || !isAfterNoise) {
      if (text.includes("[ERROR]")) ready();
      to.write(`${line}\n`);
      isAfterNoise = false;
    }
  }
}

/** Runs the Worker's cron trigger as often as `wrangler.toml` says, which `wrangler dev` does not: it deletes expired rules. */
function runCron(origin: string): void {
  const run = (): void => void fetch(`${origin}/cdn-cgi/handler/scheduled`).catch(() => {});
  setInterval(run, Number(process.env["DEV_CRON_SECONDS"] ?? 60) * 1_000).unref();
}

const valuesIn = (file: string) => parseEnv(readFileSync(file, "utf8"));

/** Prints the address and the key. Only the example key is shown. */
function welcome(address: string): string {
  const key = valuesIn(SECRETS)["ROOT_API_KEY"];
  const shown = key !== undefined && key === valuesIn(EXAMPLE)["ROOT_API_KEY"] ? `, ${key}` : "";
  return `Ready on ${address} (console: ${address}/console, reference: ${address}/docs). Ctrl-C ends it.
The API key is ROOT_API_KEY in ${SECRETS}${shown}. Restart after you change that file.
`;
}

/** Starts wrangler without standard input, so it asks no questions. */
function wrangler(...arguments_: string[]): ChildProcess & { stdout: Readable; stderr: Readable } {
  const child = spawn("wrangler", arguments_, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  // A terminal sends SIGINT to both processes; a SIGTERM to this one must also stop the child.
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  // If npm is killed, this process gets no signal, so it watches its parent and stops the child when the parent exits.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500);
  child.once("exit", () => clearInterval(watch));
  return child;
}

/** Where `wrangler dev` keeps the local database. */
const DATABASES = join(".wrangler", "state", "v3", "d1", "miniflare-D1DatabaseObject");

/** Whether the local database has all migrations: starting wrangler to find that out takes seconds. */
function isMigrated(): boolean {
  try {
    const wanted = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
    const [file = "", ...others] = readdirSync(DATABASES).filter((name) =>
      /^[0-9a-f]{64}\.sqlite$/.test(name),
    );
    // One of another configuration: wrangler knows which.
    if (others.length > 0) return false;
    const database = new DatabaseSync(join(DATABASES, file), { readOnly: true });
    try {
      const rows = database.prepare("select name from d1_migrations").all();
      const applied = new Set(rows.map(({ name }) => name));
      return wanted.every((name) => applied.has(name));
    } finally {
      database.close();
    }
  } catch {
    // There is none yet, or it is locked.
    return false;
  }
}

/** Names the process that prepares or opens the local database. Only one can, until it is ready. */
const LOCK = join(".wrangler", "starting.pid");
/** After how many milliseconds the wait is reported. */
const LONG_START = 10_000;

/** What the lock contains; undefined if there is none. */
function holderOf(): string | undefined {
  try {
    return readFileSync(LOCK, "utf8");
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
}

/** Waits while another `npm run dev` starts. Returns a function to call when this server is ready. */
async function turn(): Promise<() => void> {
  mkdirSync(".wrangler", { recursive: true });
  const tell = setTimeout(
    () =>
      console.info(
        `Waiting for another npm run dev (process ${holderOf() ?? "unknown"}) to start. If there is none, delete ${LOCK}.`,
      ),
    LONG_START,
  ).unref();
  for (;;) {
    if (isEnded) return () => {};
    try {
      writeFileSync(LOCK, String(process.pid), { flag: "wx" });
      clearTimeout(tell);
      const release = (): void => rmSync(LOCK, { force: true });
      process.once("exit", release);
      let isHeld = true;
      return () => {
        // Another server may hold the lock afterwards.
        if (!isHeld) return;
        isHeld = false;
        process.off("exit", release);
        release();
      };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      const holder = holderOf();
      await sleep(100);
      // It was killed, maybe before it could write its id.
      if (holder !== undefined && holder === holderOf() && !isAlive(Number(holder)))
        rmSync(LOCK, { force: true });
    }
  }
}

/** Applies the pending migrations and prints their number. If one fails, it prints wrangler's whole output. */
async function migrate(): Promise<number> {
  if (isMigrated()) {
    console.info("Migrations: none to apply.");
    return 0;
  }
  const child = wrangler("d1", "migrations", "apply", "DB", "--local");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await exitCodeOf(child);
  const [, pending = "0"] = /About to apply (\d+) migration/.exec(output) ?? [];
  if (code === 0) console.info(`Migrations: ${pending === "0" ? "none to apply" : `${pending} applied`}.`);
  else console.error(output);
  return code;
}

/** Runs the server until it is stopped. @param ready as in {@link passOn} */
async function serve(given: string[], ready: () => void): Promise<number> {
  const child = wrangler("dev", ...inspectorOf(given), ...hostOf(given), ...given);
  const [code] = await Promise.all([
    exitCodeOf(child),
    passOn(child.stdout, process.stdout, ready),
    passOn(child.stderr, process.stderr, ready),
  ]);
  return code;
}

/** Any free port for the debugger, so that two servers can start at the same time. */
const inspectorOf = (given: string[]): string[] =>
  given.some((one) => one.startsWith("--inspector-port")) ? [] : ["--inspector-port", "0"];

/** The exit status: 0 if this process was told to stop the child. */
async function exitCodeOf(child: ChildProcess): Promise<number> {
  await once(child, "close");
  return isEnded ? 0 : (child.exitCode ?? 1);
}

let isEnded = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => (isEnded = true));

/** The options of `wrangler dev` that are passed on. Others would start another service than this one. */
const OPTIONS = ["port", "ip", "host", "inspector-port", "inspector-ip", "var", "log-level"];

/** What is wrong with the arguments, in a line; undefined if nothing is. */
function mistakeIn(given: string[]): string | undefined {
  for (const token of tokensOf(given)) {
    if (token.kind === "positional")
      return `Unexpected argument ${token.value}. Options follow two hyphens: npm run dev -- --port 8799`;
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!OPTIONS.includes(name))
      return `Unknown option ${rawName}. Accepted: ${OPTIONS.map((one) => `--${one}`).join(", ")}`;
    if (value === undefined) return `${rawName}: expected a value`;
    // 0 stands for any free port.
    if (name.endsWith("port") && !(/^\d{1,5}$/.test(value) && Number(value) <= 65_535))
      return `${rawName}: expected 1 to 65535`;
  }
  return undefined;
}

const tokensOf = (args: string[]) =>
  parseArgs({
    args,
    options: Object.fromEntries(OPTIONS.map((name) => [name, { type: "string" as const }])),
    strict: false,
    tokens: true,
  }).tokens;

function portIn(given: string[]): number {
  const token = tokensOf(given).findLast((one) => one.kind === "option" && one.name === "port");
  return Number((token?.kind === "option" && token.value) || 8787);
}

/** True if another process listens on the port on one of the two loopback addresses. */
async function isTaken(port: number): Promise<boolean> {
  for (const host of ["127.0.0.1", "::1"]) {
    const server = createServer().listen(port, host);
    try {
      await once(server, "listening");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return true;
      // This machine does not have the address.
      continue;
    }
    server.close();
    await once(server, "close");
  }
  return false;
}

/**
 * For a Worker with routes, `wrangler dev` replaces the host of requests with that of the first route, for which the service
 * rejects plain HTTP: this option keeps the original host.
 */
function hostOf(given: string[]): string[] {
  const hasRoutes = /^(?:routes? *=|\[\[routes\]\])/m.test(readFileSync("wrangler.toml", "utf8"));
  return hasRoutes ? ["--host", `localhost:${portIn(given)}`] : [];
}

async function main(given: string[]): Promise<number> {
  const mistake = mistakeIn(given);
  if (mistake !== undefined) {
    console.error(mistake);
    return 2;
  }
  const port = portIn(given);
  if (port !== 0 && (await isTaken(port))) {
    let free = port + 1;
    while (await isTaken(free)) free += 1;
    console.error(`Port ${port} is taken. Use another one:

  npm run dev -- --port ${free}

and in the examples: export API=http://localhost:${free}
Servers of the same working copy share its database.`);
    return 1;
  }
  if (!existsSync(SECRETS)) {
    copyFileSync(EXAMPLE, SECRETS);
    console.info(`Copied ${EXAMPLE} to ${SECRETS}.`);
  }
  const missing = ["ROOT_API_KEY", "SEALING_KEYS"].find((name) => !valuesIn(SECRETS)[name]);
  if (missing !== undefined) {
    console.error(`${SECRETS} has no ${missing}. Delete the file: the next run copies ${EXAMPLE} again.`);
    return 1;
  }
  const ready = await turn();
  const code = await migrate();
  return code !== 0 || isEnded ? code : serve(given, ready);
}

process.exitCode = await main(process.argv.slice(2));
