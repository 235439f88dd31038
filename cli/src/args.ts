import { parseArgs, type ParseArgsConfig } from "node:util";
import { Refusal } from "./service.ts";

/*
 * Commands, their options and what --help says of them.
 */

const COMMON = `
  --url URL   address of the service (otherwise the variable API)
  --key KEY   an API key (otherwise the variable API_KEY, which other users of the machine do not see)
  --help      shows this`;

const usages = {
  export: `Usage: edge export [FILE]

Writes the configuration of the service to FILE, as YAML or, for a name that ends in .json, as JSON, and which name is
which id to FILE.ids.json. Without FILE, prints YAML. A FILE that is there is brought up to date: what is as it says
stays as it is written, with its comments. Nobody knows secrets: names of environment variables stand for them.
${COMMON}

Exit status: 0 if it is written, 1 on errors.`,

  diff: `Usage: edge diff FILE [--prune] [--resend-secrets]

Shows what \`edge apply\` with the same options would create (+), change (~) and delete (-). Needs no secrets.

  --prune             also what the file lacks, of the kinds that it holds
  --resend-secrets    also secrets: whether these differ, nobody knows
${COMMON}

Exit status: 0 without differences, 2 with differences, 1 on errors.`,

  apply: `Usage: edge apply FILE [--yes] [--prune] [--resend-secrets] [--dry-run]

Makes the service what FILE says, after showing what changes and asking. Writes which name is which id to FILE.ids.json,
which belongs to FILE. Secrets are taken from the environment variables that the file names.

  --yes               does not ask
  --prune             deletes what the file lacks, of the kinds that it holds
  --resend-secrets    sends every secret again: a change of a secret alone is not seen
  --dry-run           has everything checked by the service, and changes nothing
${COMMON}

Exit status: 0 if the service is as the file says (with --dry-run: if it could be), 1 if it was refused or failed.`,

  access: `Usage: edge access EDGE IP [--file FILE]

Says whether an edge lets an address in, and why. EDGE is the id of a TCP, TLS or HTTPS edge (of which all routes are
asked), EDGE/ROUTE for one route, or with --file a name in that file.

  --file FILE   the file in which EDGE is a name
${COMMON}

Exit status: 0 if the address is let in (by every route), 2 if not, 1 on errors.`,

  watch: `Usage: edge watch [--after ID] [--interval SECONDS] [--json]

Prints a line for each event as it comes: time, type, object, who did it, id of the event. Ends on Ctrl-C.

  --after ID           begins after this event, such as the last one that was printed; otherwise with the next one
  --interval SECONDS   how often to ask (2)
  --json               prints events whole, as JSON
${COMMON}

Exit status: 0 when it is ended, 1 on errors.`,
} as const;

export type Command = keyof typeof usages;

const isCommand = (name: string): name is Command => Object.hasOwn(usages, name);

const USAGE = `Usage: edge COMMAND

  export [FILE]     writes the configuration of the service to a file
  diff FILE         shows how the service differs from a file
  apply FILE        makes the service what a file says
  access EDGE IP    says whether an edge lets an address in
  watch             prints events as they come

\`edge COMMAND --help\` says more. The variables API and API_KEY say where the service is, and with which key.`;

const flags: Record<Command, ParseArgsConfig["options"]> = {
  export: {},
  diff: { prune: { type: "boolean" }, "resend-secrets": { type: "boolean" } },
  apply: {
    yes: { type: "boolean" },
    prune: { type: "boolean" },
    "resend-secrets": { type: "boolean" },
    "dry-run": { type: "boolean" },
  },
  access: { file: { type: "string" } },
  watch: { after: { type: "string" }, interval: { type: "string" }, json: { type: "boolean" } },
};

/** How many operands a command takes: at least, and at most. */
const operands: Record<Command, readonly [number, number]> = {
  export: [0, 1],
  diff: [1, 1],
  apply: [1, 1],
  access: [2, 2],
  watch: [0, 0],
};

export interface Call {
  command: Command;
  operands: string[];
  has: (flag: string) => boolean;
  text: (option: string) => string | undefined;
}

/** A refusal of how the command was called. */
class Misuse extends Refusal {
  constructor(problem: string, command?: Command) {
    super(`${problem} ${command ? `\`edge ${command} --help\`` : "`edge --help`"} shows how to call it.`);
  }
}

/** What was called; a text to print instead if help was asked for. @throws Refusal */
export function parsed(given: string[]): Call | string {
  const [name, ...rest] = given;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return USAGE;
  if (!isCommand(name)) throw new Misuse(`There is no command ${JSON.stringify(name)}.`);
  const { positionals, ...options } = parsedFlags(name, rest);
  const values: { [option: string]: unknown } = options.values;
  if (values["help"] === true) return usages[name];
  const [least, most] = operands[name];
  if (positionals.length < least || positionals.length > most)
    throw new Misuse(
      `edge ${name} takes ${least === most ? most : `${least} or ${most}`} ${most === 1 ? "operand" : "operands"}, not ${positionals.length}.`,
      name,
    );
  return {
    command: name,
    operands: positionals,
    has: (flag) => values[flag] === true,
    text: (option) => {
      const value = values[option];
      return typeof value === "string" ? value : undefined;
    },
  };
}

function parsedFlags(command: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...flags[command],
        url: { type: "string" },
        key: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Misuse(`${message.replace(/\.? To specify .*$/s, "")}.`, command);
  }
}
