import { uriOf } from "../../../packages/model/src/ids.ts";
import { type Kind, kinds } from "../../../packages/model/src/kinds.ts";
import type { StoredEvent } from "../../db/event_reads.ts";
import { asRow, parsedAs } from "../../db/unchecked.ts";
import { toApiKey } from "../api_keys.ts";
import { toApiRestriction } from "../api_restriction.ts";
import { toFailoverBackend } from "../backends/failover.ts";
import { toHttpResponseBackend } from "../backends/http_response.ts";
import { toStaticBackend } from "../backends/static.ts";
import { toWeightedBackend } from "../backends/weighted.ts";
import { toBotUser } from "../bot_users.ts";
import { toCertificateAuthority } from "../certificates/certificate_authorities.ts";
import { toCertificateIssuer } from "../certificates/issuers.ts";
import { toHttpsEdge } from "../edges/https.ts";
import { toRoute } from "../edges/https_routes.ts";
import { toTcpEdge } from "../edges/tcp.ts";
import { toTlsEdge } from "../edges/tls.ts";
import { toSession, toSignIn, toUser } from "../people/users.ts";
import { toPlanSummary } from "../plan_rows.ts";
import { toIpPolicy } from "../policies/ip_policies.ts";
import { toIpPolicyRule } from "../policies/ip_policy_rules.ts";
import { toEventDestination } from "./event_destinations.ts";
import { toEventSubscription } from "./event_subscriptions.ts";

/*
 * The objects in events. The log stores rows, which are shown by the same functions as in responses.
 */

/** An object as an event shows it. */
export interface EventObject {
  id: string;
  uri: string;
}

/** Shows rows, as they are in the log, by a function that shows them in responses. */
const showing =
  <Row>(present: (row: Row, origin: string) => EventObject) =>
  (row: object, origin: string): EventObject =>
    present(asRow<Row>(row), origin);

type Row<Present extends (row: never, ...rest: never[]) => unknown> = Parameters<Present>[0];

const shownAs: Record<Exclude<Kind, "event">, (row: object, origin: string) => EventObject> = {
  tcp_edge: showing(toTcpEdge),
  tls_edge: showing(toTlsEdge),
  https_edge: showing((row: Row<typeof toHttpsEdge> & { routes?: Row<typeof toRoute>[] }, origin) =>
    toHttpsEdge(row, origin, row.routes),
  ),
  https_edge_route: showing(toRoute),
  ip_policy: showing(toIpPolicy),
  ip_policy_rule: showing(toIpPolicyRule),
  failover_backend: showing(toFailoverBackend),
  http_response_backend: showing(toHttpResponseBackend),
  weighted_backend: showing(toWeightedBackend),
  static_backend: showing(toStaticBackend),
  bot_user: showing(toBotUser),
  api_key: showing((row: Row<typeof toApiKey>, origin) => toApiKey(row, origin)),
  event_destination: showing(toEventDestination),
  event_subscription: showing(toEventSubscription),
  certificate_authority: showing(toCertificateAuthority),
  certificate_issuer: showing(toCertificateIssuer),
  // As it was when the event was recorded: a plan expires without an event.
  user: showing(toUser),
  session: showing(toSession),
  sign_in: showing(toSignIn),
  api_restriction: (row, origin) =>
    "ip" in row ? asRow<EventObject>(row) : showing(toApiRestriction)(row, origin),
  certificate: (row, origin) => {
    const ending = asRow<EventObject & { host: string }>(row);
    return { ...ending, uri: `${origin}${kinds.certificate.path}?host=${encodeURIComponent(ending.host)}` };
  },
  plan: showing((row: Row<typeof toPlanSummary>, origin) => toPlanSummary(row, origin, row.created_at)),
};

/** The fields that all rows in the log share. */
interface LoggedRow {
  id: string;
  edge_id?: string | null;
  /** Null for an edge or route that is managed elsewhere. */
  created_at?: string | null;
  truncated?: true;
  /** The rules of a deleted policy. */
  rules?: object[];
  /** Not in events that were recorded by earlier releases. */
  secrets_changed?: string[];
}

/** Kinds of objects with secrets that requests set. */
const WITH_SECRETS = new Set(["event_destination", "https_edge_route"]);

/** The fields of an edge or a route that are not modules. */
const NO_MODULES = new Set(["created_at", "edge_id", "routes", "match_type", "match"]);

interface Shown {
  object: EventObject;
  isTruncated: boolean;
  rules?: object[];
  /** Undefined if unknown. */
  secretsChanged?: string[];
}

/**
 * The object of an event, as responses showed it at that time. An edge or a route that is managed elsewhere has its id, its
 * URI and its modules. An object that is too long for the log only has its id and its URI.
 */
export function eventObject({ type, object }: StoredEvent, origin: string): Shown {
  const row = parsedAs<LoggedRow>(object);
  const { id, edge_id } = row;
  const kind = type.slice(0, type.lastIndexOf("_"));
  // A later release that was rolled back may have recorded kinds that this one does not know.
  const isTruncated = row.truncated === true || !isKind(kind);
  const { rules, secrets_changed = WITH_SECRETS.has(kind) ? undefined : [] } = row;
  const secrets = secrets_changed && { secretsChanged: secrets_changed };
  if (isTruncated) return { object: { id, uri: uriOf(origin, id, edge_id ?? "") }, isTruncated, ...secrets };
  return {
    object: shownRow(kind, row, origin),
    isTruncated,
    ...secrets,
    ...(rules && { rules: rules.map(withoutUnset) }),
  };
}

/** A rule without the columns that are not set. */
const withoutUnset = (rule: object): object =>
  Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null));

/** A row as responses show it: see {@link eventObject}. */
export function shownRow(kind: keyof typeof shownAs, row: object, origin: string): EventObject {
  const { id, created_at } = asRow<LoggedRow>(row);
  const shown = shownAs[kind](row, origin);
  if (created_at !== null) return shown;
  const modules = Object.entries(shown).filter(
    ([name, value]) => !NO_MODULES.has(name) && value !== null && value !== undefined,
  );
  return { id, uri: shown.uri, ...Object.fromEntries(modules) };
}

const isKind = (name: string): name is keyof typeof shownAs =>
  Object.hasOwn(shownAs, name) && Object.hasOwn(kinds, name);
