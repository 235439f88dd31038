import { access } from "./access.ts";
import { type Call, type Command, parsed } from "./args.ts";
import { apply, diff, exportTo, FAILED } from "./commands.ts";
import { Refusal, type Service, serviceAt } from "./service.ts";
import { clearProgress, note, plain, print } from "./terminal.ts";
import { watch } from "./watch.ts";

/*
 * The command `edge`.
 */

function serviceOf(call: Call): Service {
  const url = call.text("url") ?? process.env["API"];
  const key = call.text("key") ?? process.env["API_KEY"];
  if (!url) throw new Refusal("Which service? Give --url, or set the variable API.");
  if (!key) throw new Refusal("There is no API key: give --key, or set the variable API_KEY.");
  return serviceAt(url, key, (seconds) =>
    note(`The service cannot answer now: trying again in ${seconds} s.`),
  );
}

const commands: Record<Command, (service: Service, call: Call) => Promise<number>> = {
  export: exportTo,
  diff,
  apply,
  access,
  watch,
};

async function run(args: string[]): Promise<number> {
  const call = parsed(args);
  if (typeof call === "string") {
    print(call);
    return 0;
  }
  const service = serviceOf(call);
  return commands[call.command](service, call);
}

/** Whoever reads the output may stop reading it. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : FAILED);
});

if (process.argv[2] === "watch") process.once("SIGINT", () => process.exit(0));

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  clearProgress();
  if (!(error instanceof Refusal)) throw error;
  note(error.message.split("\n").map(plain).join("\n"));
  process.exitCode = FAILED;
}
