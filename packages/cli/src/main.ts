import { access } from "./access.ts";
import { apply } from "./apply.ts";
import { type Call, type Command, parsed } from "./args.ts";
import { diff } from "./diff.ts";
import { exportTo } from "./export.ts";
import { reasonOf } from "./files.ts";
import { clearProgress, note, onOutputFailure, outputFailure, printText } from "./output.ts";
import { problems } from "./problems.ts";
import { FAILED, Refusal, UNEXPECTED } from "./refusal.ts";
import { type Service, serviceAt } from "./service.ts";
import { watch } from "./watch.ts";

/*
 * The command `edge`.
 */

function serviceOf(call: Call): Service {
  const url = call.text("url") ?? process.env["API"];
  const key = call.text("key") ?? process.env["API_KEY"];
  if (!url) throw new Refusal("Which service? Pass --url, or set the variable API.");
  if (!key) throw new Refusal("No API key: set the variable API_KEY, or pass --key.");
  return serviceAt(url, key, (seconds) => note(`The service is not available. Retrying in ${seconds} s.`));
}

const commands: Record<Command, (service: Service, call: Call) => Promise<number>> = {
  export: exportTo,
  diff,
  apply,
  problems,
  access,
  watch,
};

async function run(args: string[]): Promise<number> {
  const call = parsed(args);
  if (typeof call === "string") {
    printText(`${call}\n`);
    return 0;
  }
  const service = serviceOf(call);
  return commands[call.command](service, call);
}

/** Reports an error. @returns the exit status */
function failed(error: unknown): number {
  clearProgress();
  if (error instanceof Refusal) {
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

/** The exit status of a command, which is not 0 if its output could not be written. */
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
