// Prepares a working copy for `wrangler dev` and starts it: local secrets, local migrations, then the server.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";

const env = {
  ...process.env,
  // Nothing here needs the network: no request metadata, no metrics, no update banner.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
};

/** Runs wrangler; returns its exit code. Without standard input, it asks no questions. */
function wrangler(arguments_: string[], stdin: "ignore" | "inherit"): Promise<number> {
  const child = spawn("wrangler", arguments_, {
    env,
    stdio: [stdin, "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  // A terminal sends SIGINT to both processes; a SIGTERM to this one must also stop the server.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  // If npm is killed, this process gets no signal: it stops the server when its parent is gone.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

if (!existsSync(".dev.vars")) {
  copyFileSync(".dev.vars.example", ".dev.vars");
  console.info("Copied .dev.vars.example to .dev.vars.");
}
const migrated = await wrangler(["d1", "migrations", "apply", "DB", "--local"], "ignore");
const given = process.argv.slice(2);
process.exitCode = migrated || (await wrangler(["dev", ...hostOf(given), ...given], "inherit"));

/**
 * For a Worker with routes, `wrangler dev` replaces the host of requests with that of the first route, for which the
 * service refuses plain HTTP: this option keeps the original host.
 */
function hostOf(given: string[]): string[] {
  const hasRoutes = /^(?:routes? *=|\[\[routes\]\])/m.test(readFileSync("wrangler.toml", "utf8"));
  const [, port = "8787"] = /--port[ =](\d+)/.exec(given.join(" ")) ?? [];
  return hasRoutes ? ["--host", `localhost:${port}`] : [];
}
