import type { components } from "edge-configuration-client";
import { getField, isJsonObject, type Json, type JsonObject } from "./json.ts";
import { idsIn, routeTitle, type TitleOf, withNames } from "./names.ts";
import { type Line, paint, type Span } from "./output.ts";
import { changeLines, counted } from "./report.ts";
import { type AnyEffect, type Effect, isWorded, type Warning, warningLines, warningsOf } from "./warnings.ts";

/*
 * Formats a plan of the service as lines of text: what changes and where, as data, and what that means, in the service's words.
 */

export type Plan = components["schemas"]["Plan"];
type Change = Effect["changes"][number];
type Access = NonNullable<Effect["access"]>[number];
type Later = NonNullable<Effect["later"]>[number];
type Networks = Pick<Access, "newly_allowed" | "newly_refused" | "truncated">;

/** The most networks of a place that are listed each way. */
const MAX_NETWORKS = 10;

/** The effect in a plan. */
export function effectIn(plan: Plan): AnyEffect {
  const { id, uri, created_at, expires_at, state, description, created_by, ...rest } = plan;
  const { applied_by, operation_id, operations, reads, ...effect } = rest;
  return effect;
}

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

/**
 * An effect: the places where access changes, now and when rules expire, with networks and checks; problems and verdicts on traffic
 * policies; and at the end, in the service's words, what that means.
 */
export function effectLines(effect: AnyEffect, titleIn: TitleOf): Line[] {
  const { access, later, problems, changes = [], summary } = effect;
  const nameOf = ({ id, description }: Named): string =>
    titleIn(id) ??
    newRoute(id, changes, titleIn) ??
    (description ? `${JSON.stringify(description)} (${id})` : id);
  const lists = isWorded(effect)
    ? [
        ...section(
          "Places:",
          (access ?? []).flatMap((item) => accessLines(item, nameOf)),
        ),
        ...section(
          "Later, when rules expire:",
          (later ?? []).flatMap((item) => laterLines(item, nameOf)),
        ),
      ]
    : [];
  return [
    ...lists,
    ...section("Problems that appear:", problemLines(problems?.added ?? [], nameOf)),
    ...section("Problems that disappear:", problemLines(problems?.removed ?? [], nameOf)),
    ...section(
      "Traffic policies:",
      changes.flatMap((change) => verdictLines(change, nameOf)),
    ),
    ...wordedLines(warningsOf(effect), summary),
  ];
}

/** The effect in one sentence, if that is known, and its warnings. */
export const wordedLines = (warnings: readonly Warning[], summary?: string): Line[] => [
  "",
  [paint("bold", "Effect:"), summary === undefined ? "" : ` ${summary}`],
  ...warningLines(warnings),
];

const section = (title: string, lines: Line[]): Line[] =>
  lines.length === 0 ? [] : ["", [paint("bold", title)], ...lines];

interface Named {
  id: string;
  description?: string | undefined;
}
type NameOf = (object: Named) => string;

/** The title of a new route, which has no name in the file. */
function newRoute(id: string, changes: Change[], titleIn: TitleOf): string | undefined {
  const change = id.startsWith("$") ? changes.find(({ object }) => object?.id === id) : undefined;
  const [edge = ""] = idsIn(change?.path ?? "");
  const match = getField(change?.after, "match");
  return match === undefined
    ? undefined
    : `${titleIn(edge) ?? edge} ${routeTitle(change?.after)}`.trimStart();
}

function verdictLines({ path, object, traffic_policy: policy }: Change, nameOf: NameOf): Line[] {
  if (!policy) return [];
  return [
    [
      `  traffic policy of ${object ? nameOf(object) : path}: `,
      paint(policy.verdict === "enforced" ? "green" : "red", policy.verdict.replace("_", " ")),
    ],
    ...policy.findings.map(
      ({ line, column, msg }) => `    ${line === null ? "" : `${line}:${column} `}${msg}`,
    ),
  ];
}

function accessLines(item: Access, nameOf: NameOf): Line[] {
  const { no_longer, newly, changed, also } = item;
  return [
    ...placeLines(item, nameOf),
    ...networkLines(item),
    ...no_longer.map((check): Line => [paint("red", `    - check ${check}`)]),
    ...newly.map((check): Line => [paint("green", `    + check ${check}`)]),
    ...changed.map((check): Line => [paint("yellow", `    ~ check ${check}`)]),
    ...(also.length === 0 ? [] : [`      also checked: ${also.join(", ")}`]),
  ];
}

const laterLines = (item: Later, nameOf: NameOf): Line[] => [
  `  ${item.at}`,
  ...[...placeLines(item, nameOf), ...networkLines(item)].map((line): Line => ["  ", ...spansOf(line)]),
];

const spansOf = (line: Line): readonly Span[] => (typeof line === "string" ? [line] : line);

/** Each place with the object that serves it. */
function placeLines({ places, places_more: more }: Pick<Access, "places" | "places_more">, nameOf: NameOf) {
  return [
    ...places.map(({ hostport, match, object, instead_of }): Line => {
      const place = [
        ...(hostport === null ? [] : [hostport]),
        ...(match ? [match.match_type, match.match] : []),
      ];
      const server = `${nameOf(object)}${instead_of ? ` instead of ${nameOf(instead_of)}` : ""}`;
      return place.length === 0 ? `  ${server}` : [`  ${place.join(" ")}`, paint("dim", `  ${server}`)];
    }),
    ...(more === 0 ? [] : [`  … and ${counted(more, "other place")}`]),
  ];
}

const networkLines = ({ newly_allowed, newly_refused, truncated }: Networks): Line[] => [
  ...firstOf(newly_allowed, truncated).map((network): Line => [paint("green", `    + ${network}`)]),
  ...firstOf(newly_refused, truncated).map((network): Line => [paint("red", `    - ${network}`)]),
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

const problemLines = (problems: Problem[], nameOf: NameOf): Line[] =>
  problems.map(({ object, code, msg }) => `  ${nameOf({ id: object })}: ${msg} (${code})`);
