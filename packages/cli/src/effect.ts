import type { components } from "edge-configuration-client";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { idsIn, type TitleOf, withNames } from "./names.ts";
import { type Line, paint } from "./output.ts";
import { changeLines, counted } from "./report.ts";

/*
 * Formats a plan of the service as lines of text: what changes, and whom that affects.
 */

export type Plan = components["schemas"]["Plan"];
export type Effect = components["schemas"]["PlanPreview"];
type Change = Effect["changes"][number];
type Access = NonNullable<Effect["access"]>[number];

/** The most networks of an object that are listed each way. */
const MAX_NETWORKS = 10;

/** What each operation of a plan changes. */
export const operationLines = ({ changes }: Plan, titleIn: TitleOf): Line[] =>
  changes.flatMap((change) => changeOf(change, titleIn));

function changeOf({ method, path, object, before, after, truncated }: Change, titleIn: TitleOf): Line[] {
  const [color, sign] =
    method === "POST"
      ? (["green", "+"] as const)
      : method === "DELETE"
        ? (["red", "-"] as const)
        : (["yellow", "~"] as const);
  const [from, to] = [fieldsIn(before), fieldsIn(after)];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => !IDENTITY.has(name),
  );
  return [
    [
      paint(color, `  ${sign} ${subjectOf(method, path, titleIn)}`),
      paint("dim", object?.description ? `  ${JSON.stringify(object.description)}` : ""),
    ],
    ...(method === "DELETE"
      ? []
      : names
          .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
          .flatMap((field) => changeLines({ field, from: from[field], to: to[field] }))
          .map((line) => ["      ", ...line])),
    ...(truncated ? ["      … and more"] : []),
  ];
}

/** What an operation changes: "static_backends.shop", or the request if the object has no name in the file. */
function subjectOf(method: string, path: string, titleIn: TitleOf): string {
  const known = idsIn(path).map((id) => ({ id, title: titleIn(id) }));
  const named = known.find(({ title }) => title !== undefined);
  if (!named) return `${method} ${path}`;
  const { id, title } = named;
  const rest = path.slice(path.indexOf(id) + id.length).replace("/", " ");
  return `${title}${withNames(rest, titleIn)}${id.startsWith("$") ? "" : ` (${id})`}`;
}

/** Fields that every object has and no operation sets. */
const IDENTITY = new Set(["id", "uri", "created_at"]);

const fieldsIn = (value: unknown): JsonObject => (isJson(value) && isJsonObject(value) ? value : {});
const isJson = (value: unknown): value is Json => value !== undefined;

/** Who newly gets in or is shut out, now and when rules expire; which problems come and go; and verdicts on traffic policies. */
export function effectLines(effect: Effect, titleIn: TitleOf): Line[] {
  const { access, later, problems, changes, access_omitted: omitted, truncated } = effect;
  const nameOf = ({ id, description }: { id: string; description?: string | undefined }): string =>
    titleIn(id) ?? (description ? `${JSON.stringify(description)} (${id})` : id);
  const verdicts = changes.flatMap(({ path, traffic_policy: policy }): Line[] =>
    policy
      ? [
          [
            `  traffic policy of ${withNames(path, titleIn)}: `,
            paint(policy.verdict === "enforced" ? "green" : "red", policy.verdict.replace("_", " ")),
          ],
          ...policy.findings.map(
            ({ line, column, msg }) => `    ${line === null ? "" : `${line}:${column} `}${msg}`,
          ),
        ]
      : [],
  );
  const ends = later.flatMap((one): Line[] => [
    `  ${one.at}  ${nameOf(one.object)}`,
    ...networkLines(one.newly_allowed, one.newly_refused, one.truncated),
  ]);
  return [
    ...section(
      "Who gets in:",
      access === null
        ? [`  Not computed: ${omitted ?? "too much would have to be read."}`]
        : access.length === 0
          ? ["  Nobody newly gets in, and nobody is shut out."]
          : access.flatMap((one) => accessLines(one, nameOf(one.object))),
    ),
    ...section("Later, when rules expire:", ends),
    ...section("Problems that appear:", problemLines(problems?.added ?? [], nameOf)),
    ...section("Problems that disappear:", problemLines(problems?.removed ?? [], nameOf)),
    ...section("Traffic policies:", verdicts),
    ...(truncated ? ["The effect is too long to be shown whole: the console shows as much."] : []),
  ];
}

const section = (title: string, lines: Line[]): Line[] =>
  lines.length === 0 ? [] : ["", [paint("bold", title)], ...lines];

function accessLines(one: Access, name: string): Line[] {
  const { hostports, newly_allowed, newly_refused, truncated, also } = one;
  const warning = one.to_nobody
    ? "Nobody gets in any more."
    : one.to_everyone
      ? "Everybody gets in."
      : one.from_everyone
        ? "Until now, everybody gets in."
        : undefined;
  return [
    [`  ${name}`, paint("dim", hostports.length === 0 ? "" : `  ${hostports.join(", ")}`)],
    ...(warning === undefined
      ? []
      : [[paint(one.to_nobody || one.to_everyone ? "red" : "yellow", `    ! ${warning}`)]]),
    ...networkLines(newly_allowed, newly_refused, truncated),
    ...(also.length === 0
      ? []
      : [`    also decided by: ${also.map((module) => module.replaceAll("_", " ")).join(", ")}`]),
  ];
}

const networkLines = (allowed: string[], refused: string[], truncated: boolean): Line[] => [
  ...firstOf(allowed, truncated).map((network): Line => [paint("green", `    + ${network}`)]),
  ...firstOf(refused, truncated).map((network): Line => [paint("red", `    - ${network}`)]),
];

function firstOf(networks: string[], truncated: boolean): string[] {
  const more = networks.length - MAX_NETWORKS;
  if (more <= 0) return networks;
  return [
    ...networks.slice(0, MAX_NETWORKS),
    `… and ${truncated ? "more than " : ""}${counted(more, "other network")}`,
  ];
}

type Problem = NonNullable<Effect["problems"]>["added"][number];

const problemLines = (problems: Problem[], nameOf: (object: { id: string }) => string): Line[] =>
  problems.map(({ object, code, msg }) => `  ${nameOf({ id: object })}: ${msg} (${code})`);
