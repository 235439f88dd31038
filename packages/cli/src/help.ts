import { warningCodes } from "./warnings.ts";

/*
 * What `edge --help` and `edge COMMAND --help` print.
 */

const HELP = "  --help              show this help";

const COMMON = `  --url URL           URL of the service (default: $API)
  --key KEY           API key (default: $API_KEY, which unlike --key is not visible to other users in \`ps\`)
  --profile NAME      service and key that \`edge login\` has kept (default: $EDGE_PROFILE, or \`default\`)
${HELP}`;

const LINKS =
  "  --follow-symlinks   read and write files outside of the working directory through symbolic links";

const CONSENT = `  --yes               do not ask whether to apply this; does not confirm warnings
  --accept CODE,...   confirm these warnings about the effect; can be given several times. The codes are
                      ${warningCodes.slice(0, 5).join(", ")},
                      ${warningCodes.slice(5).join(", ")}`;

const COMPARISON = `  --target NAME       only this object, and new objects that it refers to; can be given several times
  --match             without ids in FILE.ids.json, match objects by hostports or description
  --prune             delete objects that are not in the file (only of the kinds it contains)
  --resend-secrets    send every secret again (a change of only a secret is not detected)
  --create-all        create every object even if FILE.ids.json has no ids for the service
  --allow-empty       accept a FILE without objects`;

/** The help of a command, without the options that several commands share. */
interface Help {
  text: string;
  /** Options that only this command has. */
  options?: string;
  /** Its exit statuses, if they differ from those of most commands. */
  statuses?: string;
  examples: readonly string[];
}

const commands = {
  export: {
    text: `Usage: edge export [FILE]

Writes the configuration of the service to FILE, and the ids of its objects to FILE.ids.json. FILE is YAML, or JSON if
its name ends in .json. Without FILE, prints YAML. An existing FILE is updated: unchanged entries keep their text and
comments, and only the kinds already in it are exported. Secrets cannot be exported; each is replaced by an
environment-variable placeholder.`,
    examples: ["edge export edge.yaml"],
  },
  diff: {
    text: `Usage: edge diff FILE [--target NAME]... [--prune] [--json] [...]

Shows what \`edge apply\` with the same options would create (+), change (~) and delete (-), the effect of that on who
gets in, and which of these objects are currently not served as written. To show the effect, it needs a key with the
role planner, and the secrets that FILE names.`,
    options: `${COMPARISON}
  --verbose           list the objects of the service that are not in the file
  --json              print the result as JSON`,
    statuses: `0 without differences, 2 with differences, 1 on errors.`,
    examples: ["edge diff edge.yaml", "edge diff edge.yaml --prune --json"],
  },
  apply: {
    text: `Usage: edge apply FILE [--yes] [--accept CODE,...] [--target NAME]... [--prune] [--dry-run] [--json] [...]

Makes the service match FILE: shows what changes and the effect on who gets in, asks for confirmation, and applies
exactly what it has shown. Then shows which of the changed objects are not served as written, and why. Writes the ids of
new objects to FILE.ids.json: keep it with FILE. Reads secrets from the environment variables that FILE names.`,
    options: `${CONSENT}
${COMPARISON}
  --dry-run           have the service check everything without changing anything
  --verbose           list the objects of the service that are not in the file
  --json              print the result as JSON; needs --yes or --dry-run
  --skip-tests        do not run the tests of FILE, which otherwise must all pass before anything is applied`,
    statuses: `0 if the service matches FILE (with --dry-run: if it could), 3 if it does, but changed objects have
problems or cannot be checked for problems, 1 on errors.`,
    examples: [
      "edge apply edge.yaml",
      "edge apply edge.yaml --prune --yes --accept newly_allowed",
      "edge apply edge.yaml --target shop",
    ],
  },
  plan: {
    text: `Usage: edge plan FILE [--description TEXT] [--target NAME]... [--prune] [--json] [...]

Makes a plan of what \`edge apply\` with the same options would do, and shows it: what changes, the effect on who gets
in, and which problems appear or disappear. Nothing is changed until somebody applies the plan: with
\`edge approve\`, or in the console. Needs the role planner. Reads secrets from the environment variables that FILE
names.`,
    options: `  --description TEXT  what the plan is for
${COMPARISON}
  --verbose           list the objects of the service that are not in the file
  --json              print the result as JSON`,
    statuses: `0 without differences (no plan is made), 2 with differences, 1 on errors.`,
    examples: ['edge plan edge.yaml --description "Porto office"'],
  },
  approve: {
    text: `Usage: edge approve PLAN [FILE] [--yes] [--accept CODE,...] [--refresh]

Shows a plan, asks for confirmation, and applies it: completely, exactly as shown, or not at all. PLAN is its id. With
FILE, writes the ids of new objects to FILE.ids.json; otherwise prints them. Needs the role editor.`,
    options: `${CONSENT}
  --refresh           first compute the effect again, because what the plan depends on has changed`,
    statuses: `0 if the plan is applied, 1 on errors.`,
    examples: ["edge approve pln_2fCzyKyxGFFQjbGvSPXiVOWCOkX edge.yaml"],
  },
  plans: {
    text: `Usage: edge plans [--all] [--json]

Lists the plans that wait for approval, newest first: id, expiry, description and author. A planner sees only its own
plans.`,
    options: `  --all               also list plans that were applied or withdrawn, or have expired
  --json              print plans as JSON, one per line`,
    examples: ["edge plans", "edge plans --all --json"],
  },
  undo: {
    text: `Usage: edge undo [EVENT|REQUEST|PLAN] [--file FILE] [--description TEXT] [--json]

Makes a plan that undoes a change, and shows it. Nothing is changed until somebody approves the plan. The argument is
the id of an event (ev_…), of a request, whose changes are all undone (op_…), or of a plan that was applied (pln_…).
Without it, the last request that changed the configuration is undone. Needs the role planner.`,
    options: `  --file FILE         show objects by their names in FILE
  --description TEXT  what the plan is for
  --json              print the plan as JSON`,
    statuses: `0 if the plan is made, 1 on errors.`,
    examples: ["edge undo", "edge undo pln_2fCzyKyxGFFQjbGvSPXiVOWCOkX --file edge.yaml"],
  },
  problems: {
    text: `Usage: edge problems [FILE] [--only-file] [--json]

Lists configuration that the service accepted, but that is not served as written, and why. Also lists edges that some
agents do not serve. With FILE, shows objects by their names in FILE.`,
    options: `  --only-file         list only problems of objects in FILE
  --json              print problems as JSON, one per line`,
    statuses: `0 without problems, 2 with problems, 1 on errors.`,
    examples: ["edge problems", "edge problems edge.yaml --only-file"],
  },
  access: {
    text: `Usage: edge access EDGE IP [--file FILE] [--json]

Shows whether an edge admits an address, why, and whether the client also needs a certificate. EDGE is the id of a TCP,
TLS or HTTPS edge. For an HTTPS edge, every route is checked; EDGE/ROUTE_ID checks one. With --file, EDGE can be a name
in that file.`,
    options: `  --file FILE         the file that names EDGE
  --json              print the result of each check as JSON, one per line`,
    statuses: `0 if the address is admitted (by every route), 2 if not, 1 on errors.`,
    examples: ["edge access shop 198.51.100.7 --file edge.yaml"],
  },
  test: {
    text: `Usage: edge test FILE [--live]

Runs the tests of FILE: requests that are never sent, and their expected outcome. They run on the objects of FILE,
without a service, or with --live on the configuration of the service.`,
    options: `  --live              have the service run the tests, on the applied configuration`,
    statuses: `0 if all tests pass, 2 if one fails, 1 on errors, such as a FILE without tests.`,
    examples: ["edge test edge.yaml", "edge test edge.yaml --live"],
  },
  whoami: {
    text: `Usage: edge whoami [--json]

Prints the URL of the service, who the key belongs to, its role, and when it expires.`,
    options: `  --json              print the response of the service as JSON, with the URL`,
    examples: ["edge whoami --profile staging"],
  },
  health: {
    text: `Usage: edge health

Prints whether the service works, and its release.`,
    statuses: `0 if the service works, 2 if it reports a failure, 1 if it cannot be reached.`,
    examples: ["edge health --url https://edge.example.com"],
  },
  agents: {
    text: `Usage: edge agents [--json]

Prints what each agent serves, how many changes it is behind, and what is wrong with it: its error, its problems, and
that it has not reported for three minutes.`,
    options: `  --json              print agents as JSON, one per line`,
    statuses: `0 if nothing is wrong with any agent, 2 if something is, 1 on errors.`,
    examples: ["edge agents --json"],
  },
  certificates: {
    text: `Usage: edge certificates [--state STATE] [--json]

Prints each host of edges and certificates with the state of its certificate, when the first one ends, and which agents
have it. The states are valid, ending (less than a quarter of its life is left), missing and unknown; for those that the
service orders also pending, failing and paused, with the reason.`,
    options: `  --state STATE       list only hosts with this state
  --json              print hosts as JSON, one per line`,
    statuses: `0 if no listed certificate is ending, failing, paused or missing, 2 if one is, 1 on errors.`,
    examples: ["edge certificates", "edge certificates --state ending --json"],
  },
  traffic: {
    text: `Usage: edge traffic [EDGE] [--last PERIOD] [--agent NAME] [--file FILE] [--json]

Prints how much traffic each edge and route has had in the last hour and the last day, how much of it failed, and how
much was denied. With EDGE, prints the intervals of one edge; EDGE/ROUTE_ID is a route. With --file, EDGE can be a name
in that file.`,
    options: `  --last PERIOD       with EDGE: hour, by minute; day, by five minutes; or month, by hour (default: hour)
  --agent NAME        with EDGE: only what this agent has counted
  --file FILE         the file that names EDGE, and with whose names edges are shown
  --json              print the response of the service as JSON; without EDGE, an object per line`,
    examples: ["edge traffic", "edge traffic shop --last day --file edge.yaml"],
  },
  rename: {
    text: `Usage: edge rename FILE OLD NEW

Gives the object OLD in FILE the name NEW: in FILE, where other objects refer to it, and in FILE.ids.json. Comments and
formatting stay. Sends no request: names exist only in the file.`,
    examples: ["edge rename edge.yaml ip_policy_5 office"],
  },
  login: {
    text: `Usage: edge login [--profile NAME] [--url URL]

Tries an API key, and keeps it with the URL of the service in ~/.config/edge/config.json, which only you can read. Asks
for the key, or reads it from stdin. Other commands then need neither --url nor --key.`,
    examples: [
      "edge login --url https://edge.example.com",
      "edge login --profile staging --url https://staging.example.com < key.txt",
    ],
  },
  logout: {
    text: `Usage: edge logout [--profile NAME]

Removes a profile. Its API key stays valid.`,
    examples: ["edge logout --profile staging"],
  },
  schema: {
    text: `Usage: edge schema

Prints the JSON Schema of FILE for editors and validators. The service has it at /schemas/edge.yaml.json, and a new file
that \`edge export\` writes names it for editors with yaml-language-server.`,
    examples: ["edge schema > edge.schema.json"],
  },
  completion: {
    text: `Usage: edge completion bash|zsh|fish

Prints a script that completes commands and options in a shell. For bash, add this to ~/.bashrc:

  source <(edge completion bash)`,
    examples: ["edge completion bash > /etc/bash_completion.d/edge"],
  },
  watch: {
    text: `Usage: edge watch [--after ID] [--interval SECONDS] [--json]

Prints events as they happen, one per line: time, type, object, actor, event id. Stops on Ctrl-C.`,
    options: `  --after ID          start after this event (default: start with the next one)
  --interval SECONDS  time between requests (default: 2)
  --json              print events as JSON, one per line`,
    statuses: `0 when stopped, 1 on errors.`,
    examples: ["edge watch", "edge watch --json --after ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX"],
  },
} satisfies Record<string, Help>;

export type Command = keyof typeof commands;

/** The names of all commands. */
export const commandNames: readonly string[] = Object.keys(commands);

export const isCommand = (name: string): name is Command => Object.hasOwn(commands, name);

/** Commands that never call the service. */
const LOCAL: ReadonlySet<string> = new Set(["rename", "schema", "completion"]);

/** The help of a command. @param hasLinks whether it has the option --follow-symlinks */
export function helpOf(command: Command, hasLinks: boolean): string {
  const { text, options = "", statuses = "0 on success, 1 on errors.", examples }: Help = commands[command];
  const isLocal = LOCAL.has(command);
  const own = [options, hasLinks ? LINKS : "", isLocal ? HELP : ""].filter((lines) => lines !== "");
  return [
    text,
    own.join("\n"),
    isLocal ? "" : COMMON,
    `Examples:\n${examples.map((line) => `  ${line}`).join("\n")}`,
    `Exit status: ${statuses}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The help for `edge --help`. */
export const USAGE = `Usage: edge COMMAND

  export [FILE]     write the configuration of the service to a file
  diff FILE         show how the service differs from a file
  apply FILE        make the service match a file
  plan FILE         propose what apply would do, for somebody to approve
  approve PLAN      apply a plan
  plans             list the plans that wait for approval
  undo [ID]         propose to undo a change
  problems [FILE]   list configuration that is not served as written
  access EDGE IP    check whether an edge admits an address
  test FILE         run the tests of a file, without sending a request
  watch             print events as they happen
  agents            print what each agent serves
  certificates      print which certificates agents have, and when they end
  traffic [EDGE]    print how much traffic edges get, and how it ended
  health            print whether the service works
  whoami            print who the key belongs to, and what it may do
  rename FILE OLD NEW  give an object in a file another name
  login             keep a service and an API key
  logout            forget them
  completion SHELL  print a script that completes commands in a shell
  schema            print the JSON Schema of files

\`edge --version\` prints the release of the command. For details of a command: \`edge COMMAND --help\`.
\`edge login\` keeps the service URL and the API key; the environment variables API and API_KEY set them, too.

Exit status: 0 on success, 1 on errors, 70 if the command itself fails unexpectedly (set EDGE_DEBUG=1 to see where).
Some commands have other statuses, too: see their help.`;
