import { access } from "./access.ts";
import { apply } from "./apply.ts";
import { type Call, parseCall } from "./args.ts";
import { certificates } from "./certificates.ts";
import { completion } from "./completion.ts";
import { diff } from "./diff.ts";
import { FAILED, UNEXPECTED, UserError } from "./errors.ts";
import { exportTo } from "./export.ts";
import { reasonOf } from "./files.ts";
import type { Command } from "./help.ts";
import { problems } from "./list_problems.ts";
import { clearProgress, note, onOutputFailure, outputFailure, printText } from "./output.ts";
import { approve, plan } from "./plan.ts";
import { plans } from "./plans.ts";
import { printSchema } from "./print_schema.ts";
import { login, logout, profileOf } from "./profiles.ts";
import { rename } from "./rename.ts";
import { type ServiceAccess, serviceAt } from "./service.ts";
import { agents, health, whoami } from "./status.ts";
import { test } from "./test.ts";
import { traffic } from "./traffic.ts";
import { undo } from "./undo.ts";
import { watch } from "./watch.ts";

/*
 * The command `edge`.
 */

function serviceOf(call: Call): ServiceAccess {
  const { url, key } = profileOf(call);
  return serviceAt(url, key, (why, seconds) => note(`${why} Retrying in ${seconds} s.`));
}

/** Commands that ask no service, or choose it themselves. */
const local = { rename, login, logout, completion, schema: printSchema };

const commands: Record<
  Exclude<Command, keyof typeof local>,
  (service: ServiceAccess, call: Call) => Promise<number>
> = {
  export: exportTo,
  diff,
  apply,
  plan,
  plans,
  approve,
  undo,
  problems,
  access,
  test,
  watch,
  whoami,
  health,
  agents,
  certificates,
  traffic,
};

const isLocal = (command: Command): command is keyof typeof local => Object.hasOwn(local, command);

async function run(args: string[]): Promise<number> {
  const call = parseCall(args);
  if (typeof call === "string") {
    printText(`${call}\n`);
    return 0;
  }
  if (call.command === "test" && !call.has("live")) return test(undefined, call);
  const { command } = call;
  if (isLocal(command)) return local[command](call);
  return commands[command](serviceOf(call), call);
}

/** Reports an error. @returns the exit status */
function failed(error: unknown): number {
  clearProgress();
  if (error instanceof UserError) {
    for (const line of error.lines) note(line);
    return FAILED;
  }
  const isDebugging = process.env["EDGE_DEBUG"];
  note(
    `Unexpected error: ${String(error).slice(0, 300)}.${isDebugging ? "" : " Set EDGE_DEBUG=1 to see the stack."}`,
  );
  if (isDebugging && error instanceof Error) for (const line of (error.stack ?? "").split("\n")) note(line);
  return UNEXPECTED;
}

/** Replaces the exit status 0 if the output could not be written. */
async function withOutput(status: number): Promise<number> {
  const failure = await outputFailure();
  if (!failure) return status;
  note(`Cannot write the output: ${reasonOf(failure)}.`);
  return status === 0 ? FAILED : status;
}

process.on("uncaughtException", (error) => process.exit(failed(error)));

if (process.argv[2] === "watch") {
  process.once("SIGINT", () => process.exit(0));
  onOutputFailure(() => void withOutput(0).then((status) => process.exit(status)));
}

process.exitCode = await withOutput(await run(process.argv.slice(2)).catch(failed));
