// Prepares a working copy for `wrangler dev` and starts it: local secrets, local migrations, then the server.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";

const env = {
  ...process.env,
  // Nothing here needs the network: no request metadata, no metrics, no update banner.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_HIDE_BANNER: "true",
};

/** Runs wrangler to its end. Without standard input it asks no questions. */
function wrangler(arguments_: string[], stdin: "ignore" | "inherit"): number {
  const { status } = spawnSync("wrangler", arguments_, {
    env,
    stdio: [stdin, "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  return status ?? 1;
}

if (!existsSync(".dev.vars")) {
  copyFileSync(".dev.vars.example", ".dev.vars");
  console.info("Copied .dev.vars.example to .dev.vars.");
}
const migrated = wrangler(["d1", "migrations", "apply", "DB", "--local"], "ignore");
process.exitCode = migrated || wrangler(["dev", ...process.argv.slice(2)], "inherit");
