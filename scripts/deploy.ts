// Deploys the service: npm run deploy [-- --env staging], with any other option of `wrangler deploy`.
// Creates the database if it does not exist, applies the migrations, deploys the code that needs them, and then applies the
// migrations that drop what only the previous code needed: `drizzle/*.after.sql`.
// (`wrangler deploy` creates a missing database, but without tables; `wrangler d1 migrations apply` does not create one.)
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";

const MIGRATIONS = "drizzle";
const AFTER = ".after.sql";
/** D1's limit for a batch is 30 seconds. */
const PAUSE_SECONDS = Number(process.env["DEPLOY_PAUSE_SECONDS"] ?? 60);

const given = process.argv.slice(2);
const {
  env,
  config,
  "dry-run": isDryRun,
  help: isHelp,
} = z
  .object({ env: z.string(), config: z.string(), "dry-run": z.boolean(), help: z.boolean() })
  .partial()
  .parse(
    parseArgs({
      args: given,
      strict: false,
      options: {
        env: { type: "string", short: "e" },
        config: { type: "string", short: "c" },
        "dry-run": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values,
  );
/** The options that select the environment, for every command. */
const place = [
  ...(env === undefined ? [] : ["--env", env]),
  ...(config === undefined ? [] : ["--config", config]),
];

/**
 * Runs wrangler, and returns its output unless it goes to the terminal.
 *
 * @throws if it fails, after wrangler has printed the error
 */
function wrangler(arguments_: string[], stdin: "ignore" | "inherit", stdout: "pipe" | "inherit"): string {
  const script = join("node_modules", "wrangler", "bin", "wrangler.js");
  const ended = spawnSync(process.execPath, [script, ...arguments_], {
    stdio: [stdin, stdout, "inherit"],
    encoding: "utf8",
  });
  if (ended.status !== 0)
    throw new Error(
      `${ended.stdout ?? ""}wrangler ${arguments_.join(" ")} failed: no further step was taken.`,
    );
  return ended.stdout;
}

const Configuration = z.object({ d1_databases: z.tuple([z.object({ database_name: z.string() })]) });
const Databases = z.array(z.object({ name: z.string() }));

/**
 * Without standard input, wrangler asks no questions, such as whether to change wrangler.toml or to apply migrations.
 */
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
}

const migrate = (place: string[]): string =>
  wrangler(["d1", "migrations", "apply", "DB", "--remote", ...place], "ignore", "inherit");

/** Applies the migrations that are compatible with the deployed code: all except `.after.sql` files. */
function migrateBefore(): void {
  const file = config ?? "wrangler.toml";
  const text = readFileSync(file, "utf8");
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  // In the same folder as wrangler.toml, because its paths are relative to it.
  const changed = join(dirname(file), `wrangler.before-${process.pid}${extname(file)}`);
  try {
    for (const name of readdirSync(MIGRATIONS))
      if (name.endsWith(".sql") && !name.endsWith(AFTER)) cpSync(join(MIGRATIONS, name), join(folder, name));
    const moved = JSON.stringify(relative(dirname(file), folder));
    const given = /(migrations_dir"?\s*[=:]\s*)"[^"]*"/g;
    if (!given.test(text)) throw new Error(`${file} has no migrations_dir.`);
    writeFileSync(
      changed,
      text.replace(given, (_, start: string) => start + moved),
    );
    migrate([...(env === undefined ? [] : ["--env", env]), "--config", changed]);
  } finally {
    rmSync(changed, { force: true });
    rmSync(folder, { recursive: true });
  }
}

/**
 * Applies the other migrations, after a pause: for a moment, isolates of the previous code still handle requests, and these
 * migrations convert what that code wrote.
 */
async function migrateAfter(): Promise<void> {
  const pending = wrangler(["d1", "migrations", "list", "DB", "--remote", ...place], "ignore", "pipe");
  if (!pending.includes(AFTER)) return;
  console.info(`Waiting ${PAUSE_SECONDS} seconds until the previous code has finished.`);
  await setTimeout(PAUSE_SECONDS * 1000);
  migrate(place);
}
/** The deployment stops without changes. */
const isHarmless = isDryRun === true || isHelp === true;

try {
  if (!isHarmless) {
    prepareDatabase();
    migrateBefore();
  }
  wrangler(["deploy", ...given], "inherit", "inherit");
  if (!isHarmless) await migrateAfter();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
