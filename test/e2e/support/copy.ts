import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { quiet } from "./quiet.ts";

const READY_WITHIN_MILLISECONDS = 480_000;

/** Node 24 comes first, as in npm scripts. */
const PATH = `${resolve("node_modules", ".bin")}:${process.env["PATH"]}`;

/** A new copy of the repository like a checkout after `npm ci`, with a home directory. */
export interface Copy {
  folder: string;
  env: NodeJS.ProcessEnv;
  remove: () => void;
}

export function newCopy(): Copy {
  // Paths must be short, because the agent keeps Unix sockets in its home directory.
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const folder = mkdtempSync(join(tmpdir(), "edge-configuration-copy-"));
  const left = new Set([".git", ".wrangler", ".dev.vars", "dist", "local", "node_modules"]);
  cpSync(".", folder, { recursive: true, filter: (source) => !left.has(basename(source)) });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return {
    folder,
    env: { ...quiet, PATH, HOME: home },
    remove: () => {
      for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
    },
  };
}

/** `npm run dev` in a copy. */
export interface Dev {
  child: ChildProcess;
  /** The output so far. */
  output: () => string;
  /** Resolves with its address once it is ready. */
  ready: Promise<string>;
  /** Resolves when it and all processes that it started have ended. */
  ended: Promise<unknown>;
}

/** Starts `npm run dev` with its own process group. A signal to the group has the effect of Ctrl-C at a terminal. */
export function startDev({ folder, env }: Copy, port: number): Dev {
  const given = ["run", "--silent", "dev", "--", "--port", String(port), "--inspector-port", "0"];
  const child = spawn("npm", given, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  const ready = new Promise<string>((found, failed) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, origin] = /Ready on (http:\/\/[^:\s]+:\d+)/.exec(output) ?? [];
      if (origin !== undefined) found(origin);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => failed(new Error(`npm run dev ended: ${output}`)));
    setTimeout(() => failed(new Error(`not ready in time: ${output}`)), READY_WITHIN_MILLISECONDS).unref();
  });
  ready.catch(() => {});
  return { child, output: () => output, ready, ended: once(child, "close") };
}
