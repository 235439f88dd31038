// Deploys the service: npm run deploy [-- --env staging], with any other option of `wrangler deploy`.
// First makes the database if there is none of its name, then applies its migrations, then deploys the code that needs them.
// (`wrangler deploy` makes a database that is missing, but without tables; `wrangler d1 migrations apply` makes none.)
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";

const given = process.argv.slice(2);
const {
  env,
  config,
  "dry-run": isDryRun,
} = z
  .object({ env: z.string(), config: z.string(), "dry-run": z.boolean() })
  .partial()
  .parse(
    parseArgs({
      args: given,
      strict: false,
      options: {
        env: { type: "string", short: "e" },
        config: { type: "string", short: "c" },
        "dry-run": { type: "boolean" },
      },
    }).values,
  );
/** What every command is to be told: which of the databases is meant. */
const place = [
  ...(env === undefined ? [] : ["--env", env]),
  ...(config === undefined ? [] : ["--config", config]),
];

/**
 * Runs wrangler to its end and gives what it printed, unless that goes to the terminal.
 *
 * @throws when it fails, of which it has told
 */
function wrangler(arguments_: string[], stdin: "ignore" | "inherit", stdout: "pipe" | "inherit"): string {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  const ended = spawnSync(process.execPath, [script, ...arguments_], {
    stdio: [stdin, stdout, "inherit"],
    encoding: "utf8",
  });
  if (ended.status !== 0)
    throw new Error(
      `${ended.stdout ?? ""}wrangler ${arguments_.join(" ")} failed: nothing after it was done.`,
    );
  return ended.stdout;
}

const Configuration = z.object({ d1_databases: z.tuple([z.object({ database_name: z.string() })]) });
const Databases = z.array(z.object({ name: z.string() }));

/** Without standard input wrangler asks nothing: neither to write into wrangler.toml, nor whether to migrate. */
function prepareDatabase(): void {
  const configuration: unknown = unstable_readConfig({
    ...(env !== undefined && { env }),
    ...(config !== undefined && { config }),
  });
  const [{ database_name }] = Configuration.parse(configuration).d1_databases;
  const databases = Databases.parse(
    JSON.parse(wrangler(["d1", "list", "--json", ...place], "ignore", "pipe")),
  );
  if (!databases.some(({ name }) => name === database_name))
    wrangler(["d1", "create", database_name, ...place], "ignore", "inherit");
  wrangler(["d1", "migrations", "apply", "DB", "--remote", ...place], "ignore", "inherit");
}

try {
  if (isDryRun !== true) prepareDatabase();
  wrangler(["deploy", ...given], "inherit", "inherit");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
