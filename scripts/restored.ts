// Gives the database a new epoch, so that ETags and bookmarks from before a restore are no longer accepted:
// npm run restored -- --remote|--local [--config wrangler.toml]
import { parseArgs } from "node:util";
import * as z from "zod";
import { wrangler } from "./d1.ts";

const USAGE = "Usage: npm run restored -- --remote|--local [--config wrangler.toml]";

// Also works without a row. The chance of getting the previous epoch again is one in four billion.
const STATEMENT =
  "INSERT OR REPLACE INTO database_epoch (only, epoch) VALUES (1, lower(hex(randomblob(4)))) RETURNING epoch";

const Answers = z.tuple([z.object({ results: z.tuple([z.object({ epoch: z.string() })]) })]);

const { values: options } = parseArgs({
  options: {
    remote: { type: "boolean", default: false },
    local: { type: "boolean", default: false },
    config: { type: "string", default: "wrangler.toml" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) console.info(USAGE);
else if (options.remote === options.local) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const place = options.remote ? "--remote" : "--local";
  const output = wrangler(
    { place, config: options.config },
    "execute",
    "DB",
    "--json",
    "--command",
    STATEMENT,
  );
  const [{ results }] = Answers.parse(JSON.parse(output));
  const [{ epoch }] = results;
  console.info(`The database's epoch is now ${epoch}: earlier ETags and bookmarks are no longer accepted.`);
}
