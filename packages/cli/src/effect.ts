import type { components } from "edge-configuration-client";
import { getField } from "./json.ts";
import { idsIn, routeTitle, type TitleOf, withNames } from "./names.ts";
import { indented, type OutputLine, paint } from "./output.ts";
import type { PlaceOf } from "./policy_places.ts";
import { counted } from "./report.ts";
import { type PreviewedEffect, type Warning, warningLines } from "./warnings.ts";

/*
 * Formats a plan of the service as lines of text: what changes and where, as data, and what that means, in the service's words.
 */

export type Plan = components["schemas"]["Plan"];
type Change = PreviewedEffect["changes"][number];
type Access = NonNullable<PreviewedEffect["access"]>[number];
type Later = NonNullable<PreviewedEffect["later"]>[number];
type Networks = Pick<Access, "newly_allowed" | "newly_refused" | "truncated">;

/** The most networks of a place that are listed each way. */
const MAX_NETWORKS = 10;

/** The effect in a plan. */
export function effectIn(plan: Plan): PreviewedEffect {
  const { id, uri, created_at, expires_at, state, description, created_by, ...rest } = plan;
  const { applied_by, operation_id, operations, reads, ...effect } = rest;
  return effect;
}

/**
 * An effect: the places where access changes, now and when rules expire, with networks and checks; problems and verdicts on traffic
 * policies; and at the end, in the service's words, what that means.
 */
export function effectLines(
  { access, later, problems, changes, summary, warnings }: PreviewedEffect,
  titleIn: TitleOf,
  placeOf: PlaceOf = () => undefined,
): OutputLine[] {
  const nameOf = ({ id, description }: Named): string =>
    titleIn(id) ??
    newRoute(id, changes, titleIn) ??
    (description ? `${JSON.stringify(description)} (${id})` : id);
  const linesOf = (items: Access[] = []): OutputLine[] => items.flatMap((item) => accessLines(item, nameOf));
  const policies = access?.filter(isOfPolicy);
  const atPlaces = access?.filter((item) => !isOfPolicy(item));
  return [
    ...section("Places:", linesOf(atPlaces)),
    ...section(
      atPlaces?.length === 0 ? "IP policies, without an effect at any place:" : "IP policies:",
      linesOf(policies),
    ),
    ...section(
      "Later, when rules expire:",
      (later ?? []).flatMap((item) => laterLines(item, nameOf)),
    ),
    ...section("Problems that appear:", problemLines(problems?.added ?? [], nameOf, titleIn)),
    ...section("Problems that disappear:", problemLines(problems?.removed ?? [], nameOf, titleIn)),
    ...section(
      "Traffic policies:",
      changes.flatMap((change) => verdictLines(change, nameOf, placeOf)),
    ),
    ...section(
      "Traffic in the last hour:",
      trafficLines(changes, [...(access ?? []), ...(later ?? [])], nameOf),
    ),
    ...wordedLines(
      warnings.map(({ msg, ...rest }) => ({ ...rest, msg: withNewObjects(msg, changes, nameOf) })),
      summary,
    ),
  ];
}

/** The effect in one sentence, if that is known, and its warnings. */
export const wordedLines = (warnings: readonly Warning[], summary?: string): OutputLine[] => [
  "",
  [paint("bold", "Effect:"), summary === undefined ? "" : ` ${summary}`],
  ...warningLines(warnings),
];

const section = (title: string, lines: OutputLine[]): OutputLine[] =>
  lines.length === 0 ? [] : ["", [paint("bold", title)], ...lines];

/** Whether an item is about a policy, maybe a new one, as a restriction of its own. What is managed elsewhere has no hostport, too. */
const isOfPolicy = ({ places: [place] }: Access): boolean =>
  place?.hostport === null && /^(?:ipp_|\$)/.test(place.object.id);

/** Names the new objects in a message of the service, which only has the numbers of their operations. */
const withNewObjects = (msg: string, changes: Change[], nameOf: NameOf): string =>
  msg.replace(/the object of operation (\d+)/g, (text, index) => {
    const object = changes[Number(index)]?.object;
    return object ? nameOf(object) : text;
  });

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

function verdictLines(
  { path, object, traffic_policy: policy }: Change,
  nameOf: NameOf,
  placeOf: PlaceOf,
): OutputLine[] {
  if (!policy) return [];
  const title = object ? nameOf(object) : path;
  const at = (line: number, column: number): string =>
    placeOf(title, line, column) ?? `line ${line}, column ${column}`;
  return [
    [
      `  traffic policy of ${title}: `,
      paint(policy.verdict === "enforced" ? "green" : "red", policy.verdict.replace("_", " ")),
    ],
    ...policy.findings.map(
      ({ line, column, msg }) => `    ${line === null ? "" : `${at(line, column ?? 1)}: `}${msg}`,
    ),
  ];
}

function accessLines(item: Access, nameOf: NameOf): OutputLine[] {
  const { no_longer, newly, changed, also } = item;
  return [
    ...placeLines(item, nameOf),
    ...networkLines(item),
    ...no_longer.map((check): OutputLine => [paint("red", `    - check ${check}`)]),
    ...newly.map((check): OutputLine => [paint("green", `    + check ${check}`)]),
    ...changed.map((check): OutputLine => [paint("yellow", `    ~ check ${check}`)]),
    ...(also.length === 0 ? [] : [`      also checked: ${also.join(", ")}`]),
  ];
}

const laterLines = (item: Later, nameOf: NameOf): OutputLine[] => [
  `  ${item.at}`,
  ...[...placeLines(item, nameOf), ...networkLines(item)].map((line) => indented("  ", line)),
];

/** Each place with the object that serves it. */
function placeLines({ places, places_more: more }: Pick<Access, "places" | "places_more">, nameOf: NameOf) {
  return [
    ...places.map(({ hostport, match, object, instead_of }): OutputLine => {
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

/** Each edge and route that changes, or serves places that change, with its traffic as far as it is known. */
function trafficLines(changes: Change[], items: Pick<Access, "places">[], nameOf: NameOf): OutputLine[] {
  const places = items.flatMap((item) => item.places);
  const known = new Map([
    ...changes.map(({ object, traffic }) => [object && nameOf(object), traffic] as const),
    ...places.map(({ object, instead_of, traffic }) => [nameOf(instead_of ?? object), traffic] as const),
  ]);
  return [...known].flatMap(([name, traffic]): OutputLine[] => {
    if (name === null || !traffic) return [];
    const {
      requests_last_hour: requests,
      connections_last_hour: connections,
      denied_last_hour: denied,
    } = traffic;
    const least = traffic.is_complete ? "" : "at least ";
    const amount = requests > 0 ? counted(requests, "request") : counted(connections, "connection");
    return [[`  ${name}  ${least}${amount}`, denied === 0 ? "" : `, ${denied} denied`]];
  });
}

const networkLines = ({ newly_allowed, newly_refused, truncated }: Networks): OutputLine[] => [
  ...firstOf(newly_allowed, truncated).map((network): OutputLine => [paint("green", `    + ${network}`)]),
  ...firstOf(newly_refused, truncated).map((network): OutputLine => [paint("red", `    - ${network}`)]),
];

function firstOf(networks: string[], truncated: boolean): string[] {
  const more = networks.length - MAX_NETWORKS;
  if (more <= 0) return networks;
  return [
    ...networks.slice(0, MAX_NETWORKS),
    `… and ${truncated ? "more than " : ""}${counted(more, "other network")}`,
  ];
}

type Problem = NonNullable<PreviewedEffect["problems"]>["added"][number];

const problemLines = (problems: Problem[], nameOf: NameOf, titleIn: TitleOf): OutputLine[] =>
  problems.map(
    ({ object, code, msg }) => `  ${nameOf({ id: object })}: ${withNames(msg, titleIn)} (${code})`,
  );
