import { parseArgs, type ParseArgsConfig } from "node:util";
import { didYouMean } from "../../model/src/suggestion.ts";
import manifest from "../package.json" with { type: "json" };
import { UserError } from "./errors.ts";
import { type Command, commandNames, helpOf, isCommand, USAGE } from "./help.ts";
import { warningCodes } from "./warnings.ts";

/*
 * Commands, their options and their operands.
 */

const json = { json: { type: "boolean" } } as const;
const links = { "follow-symlinks": { type: "boolean" } } as const;
const consent = { yes: { type: "boolean" }, accept: { type: "string", multiple: true } } as const;
const comparison = {
  ...links,
  prune: { type: "boolean" },
  "resend-secrets": { type: "boolean" },
  "create-all": { type: "boolean" },
  match: { type: "boolean" },
  "allow-empty": { type: "boolean" },
  target: { type: "string", multiple: true },
  verbose: { type: "boolean" },
  ...json,
} as const;

/** For each command its options and its operands, of which those in brackets can be left out. */
const commands: Record<
  Command,
  { flags: NonNullable<ParseArgsConfig["options"]>; operands: readonly string[] }
> = {
  export: { flags: links, operands: ["[FILE]"] },
  diff: { flags: comparison, operands: ["FILE"] },
  apply: {
    flags: {
      ...comparison,
      ...consent,
      "dry-run": { type: "boolean" },
      "skip-tests": { type: "boolean" },
    },
    operands: ["FILE"],
  },
  plan: { flags: { ...comparison, description: { type: "string" } }, operands: ["FILE"] },
  approve: {
    flags: { ...links, ...consent, refresh: { type: "boolean" } },
    operands: ["PLAN", "[FILE]"],
  },
  plans: { flags: { all: { type: "boolean" }, ...json }, operands: [] },
  undo: {
    flags: { ...links, file: { type: "string" }, description: { type: "string" }, ...json },
    operands: ["[EVENT|REQUEST|PLAN]"],
  },
  problems: { flags: { ...links, "only-file": { type: "boolean" }, ...json }, operands: ["[FILE]"] },
  access: { flags: { ...links, file: { type: "string" }, ...json }, operands: ["EDGE", "IP"] },
  test: { flags: { ...links, live: { type: "boolean" } }, operands: ["FILE"] },
  watch: { flags: { after: { type: "string" }, interval: { type: "string" }, ...json }, operands: [] },
  whoami: { flags: json, operands: [] },
  health: { flags: {}, operands: [] },
  agents: { flags: json, operands: [] },
  certificates: { flags: { state: { type: "string" }, ...json }, operands: [] },
  traffic: {
    flags: {
      ...links,
      file: { type: "string" },
      last: { type: "string" },
      agent: { type: "string" },
      ...json,
    },
    operands: ["[EDGE]"],
  },
  rename: { flags: links, operands: ["FILE", "OLD", "NEW"] },
  login: { flags: {}, operands: [] },
  logout: { flags: {}, operands: [] },
  completion: { flags: {}, operands: ["bash|zsh|fish"] },
  schema: { flags: {}, operands: [] },
};

export interface Call {
  command: Command;
  operands: string[];
  has: (flag: string) => boolean;
  text: (option: string) => string | undefined;
  /** The values of an option that can be given several times. */
  texts: (option: string) => string[];
  /** The codes of warnings in --accept. */
  codes: string[];
}

/** The arguments are invalid. */
class UsageError extends UserError {
  constructor(problem: string, command?: Command) {
    super(`${problem} For usage: \`edge ${command === undefined ? "" : `${command} `}--help\`.`);
  }
}

/** Parses the arguments. @returns a string to print instead if they ask for help @throws UserError */
export function parseCall(given: string[]): Call | string {
  const [name, ...rest] = given;
  if (name === undefined) throw new UserError(USAGE.split("\n"));
  if (name === "--help" || name === "-h" || name === "help") return USAGE;
  if (name === "--version") return manifest.version;
  if (name.startsWith("-"))
    throw new UsageError(`Options follow the command: edge COMMAND ${name.split("=")[0]} …`);
  if (!isCommand(name))
    throw new UsageError(
      `Unknown command ${JSON.stringify(name)}.${didYouMean(name, commandNames) || ` The commands are ${commandNames.join(", ")}.`}`,
    );
  const { positionals, ...options } = parseFlags(name, rest);
  const values: { [option: string]: unknown } = options.values;
  if (values["help"] === true) return helpOf(name, "follow-symlinks" in commands[name].flags);
  if ([...positionals, values["file"]].includes("-"))
    throw new UsageError(
      "A file cannot be -, because the ids of its objects are kept next to it: pass its name. `edge export` without FILE prints YAML.",
      name,
    );
  if (positionals.includes("")) throw new UsageError("An argument is empty.", name);
  requireOperands(name, positionals);
  const texts = (option: string): string[] => {
    const value = values[option];
    return Array.isArray(value) ? value.map(String) : [];
  };
  return {
    command: name,
    operands: positionals,
    has: (flag) => values[flag] === true,
    text: (option) => {
      const value = values[option];
      return typeof value === "string" ? value : undefined;
    },
    texts,
    codes: texts("accept").flatMap((list) => list.split(",").map((code) => knownCode(code.trim(), name))),
  };
}

/** @throws UsageError that names what is missing, or what is too much */
function requireOperands(name: Command, given: readonly string[]): void {
  const { operands } = commands[name];
  const missing = operands.slice(given.length).filter((operand) => !operand.startsWith("["));
  if (missing.length > 0)
    throw new UsageError(
      `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing: edge ${name} ${operands.join(" ")}.`,
      name,
    );
  const surplus = given[operands.length];
  if (surplus !== undefined)
    throw new UsageError(
      `${JSON.stringify(surplus)} is one argument too many: edge ${[name, ...operands].join(" ")}.`,
      name,
    );
}

/** @throws UsageError for a code that no warning has */
function knownCode(code: string, command: Command): string {
  if (warningCodes.includes(code)) return code;
  throw new UsageError(
    `--accept: there is no warning ${JSON.stringify(code)}.${didYouMean(code, warningCodes)} The warnings are ${warningCodes.join(", ")}.`,
    command,
  );
}

const common = {
  url: { type: "string" },
  key: { type: "string" },
  profile: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Every command with its options, without hyphens, for completion. */
export const optionsOf = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(commands).map(([name, { flags }]) => [name, Object.keys({ ...flags, ...common })]),
  );

function parseFlags(command: Command, args: string[]) {
  const options = { ...commands[command].flags, ...common };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? [];
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(
      `${message.replace(/\.? To specify .*$/s, "")}.${unknown === undefined ? "" : didYouMean(unknown, known)}`,
      command,
    );
  }
}
