import { timestamp } from "../../packages/model/src/clock.ts";
import type { JudgedProblem } from "../../packages/model/src/traffic/problems.ts";
import { apiKeys } from "../db/access_schema.ts";
import { type Cause, recordAlone } from "../db/event_writes.ts";
import {
  agentCertificates,
  agents,
  certificateOrders as table,
  events,
  uses,
} from "../db/internal_schema.ts";
import { certificateIssuers as issuers, tlsEdges } from "../db/schema.ts";
import {
  bare,
  bound,
  decoded,
  decoderOf,
  join,
  raw,
  type Sql,
  sql,
  type Statement,
  type Value,
  type Values,
} from "../db/statements.ts";
import { ACCOUNT_CHANGED, type IssuerRow } from "./issuer_rows.ts";

/*
 * What agents ask for: one row for each agent and host. A step is made by whoever has the lease of the row, so no two requests and
 * no two isolates make the same step. A step that is never finished ends with its lease.
 */

/** What an agent asks for, as it is stored. */
export type OrderRow = typeof table.$inferSelect;

/** How long a step can take, in milliseconds. */
const LEASE_MILLISECONDS = 60_000;

/** An agent that has not asked for this long has stopped asking, in milliseconds. Agents ask at least every five minutes. */
const STOPPED_ASKING = 600_000;

const decode = decoderOf(table);
const decodeIssuer = decoderOf(issuers);

const isOwn = ({ agent, host }: Pick<OrderRow, "agent" | "host">): Sql =>
  sql`${table.agent} = ${agent} and ${table.host} = ${host}`;

/** An edge that terminates TLS has the host. @param host of the row, or a value */
const hasEdge = (host: Sql): Sql =>
  join(
    ["", "."].map(
      (
        end,
      ) => sql`exists (select 1 from ${uses} where ${uses.target} > ${host} || ${raw(`'${end}:'`)} and ${uses.target} < ${host} || ${raw(`'${end};'`)}
      and (${uses.user} glob 'edghts_*' or ${uses.user} glob 'edgtls_*' and exists (select 1 from ${tlsEdges} where ${tlsEdges.id} = ${uses.user}
        and ${tlsEdges.tls_termination} ->> 'enabled' and ${tlsEdges.tls_termination} ->> 'terminate_at' = 'edge')))`,
    ),
    " or ",
  );

/** The issuer, or an edge that has the host, was changed by somebody after the last step. */
const isResumed =
  (): Sql => sql`(exists (select 1 from ${events} where ${events.object_id} = ${table.issuer_id} and ${events.at} > ${table.lease_until}
      and ${events.principal} ->> 'id' <> 'system')
    or exists (select 1 from ${uses} cross join ${events} on ${events.object_id} = ${uses.user} and ${events.at} > ${table.lease_until}
      where ${uses.target} > ${table.host} || ':' and ${uses.target} < ${table.host} || ';'))`;

/** A certificate that an agent reports. Times are in milliseconds since the Unix epoch. */
interface ReportedCertificate {
  serial: string;
  not_before: number;
  not_after: number;
}

/** What a request depends on. */
export interface Asked {
  /** Of the key that owns the agent's name; undefined without such an agent. */
  owner: string | undefined;
  /** Those that the agent may ask, in the order of their ids. */
  issuers: IssuerRow[];
  hasEdge: boolean;
  row: OrderRow | undefined;
  /** Whether a paused request is resumed by a change of its issuer or edge. */
  isResumed: boolean;
  /** What the agent has from this service for the host, if there is no row: it was lost, for instance with a restored database. */
  reported: ReportedCertificate | undefined;
}

/** Reads what a request depends on: statements for one batch, and the function that decodes their results. */
export function readAsked(agent: string, host: string) {
  const statements = [
    sql`select key_id from ${agents} where ${agents.name} = ${agent}`,
    issuersFor(agent),
    sql`select 1 as found where ${hasEdge(sql`${host}`)}`,
    sql`select *, ${table.state} = 'paused' and ${isResumed()} as is_resumed from ${table} where ${isOwn({ agent, host })}`,
    sql`select one.value ->> '$.serial' as serial, unixepoch(one.value ->> '$.not_before') * 1000 as not_before,
        unixepoch(one.value ->> '$.not_after') * 1000 as not_after
      from ${agentCertificates} cross join json_each(${agentCertificates.certificates}) as one
      where ${agentCertificates.agent} = ${agent} and not exists (select 1 from ${table} where ${isOwn({ agent, host })})
        and one.value ->> '$.source' = 'issued' and exists (select 1 from json_each(one.value, '$.hosts') where value = ${host})
      order by not_after desc limit 1`,
  ];
  const read = ([owners = [], found = [], edges = [], rows = [], reports = []]: Values[][]): Asked => {
    const [row] = rows;
    const { is_resumed, ...own } = row ?? {};
    const [report] = reports;
    return {
      owner: owners.map(({ key_id }) => String(key_id))[0],
      issuers: found.map(decodeIssuer),
      hasEdge: edges.length > 0,
      row: row && decode(own),
      isResumed: is_resumed === 1,
      reported: report && {
        serial: String(report["serial"]),
        not_before: Number(report["not_before"]),
        not_after: Number(report["not_after"]),
      },
    };
  };
  return { statements, read };
}

/** Reads the issuers that an agent may ask, in the order of their ids. */
const issuersFor = (agent: string): Sql =>
  sql`select * from ${issuers}
    where exists (select 1 from json_each(${issuers.agents}) as named where named.value in ('*', ${agent})) order by ${issuers.id}`;

/** Reads all issuers, in the order of their ids. */
export const allIssuers = (): Statement<IssuerRow> =>
  decoded(sql`select * from ${issuers} order by ${issuers.id}`, decodeIssuer);

/** Reads the problems of issuers: accounts that have another URL than before. */
export const changedAccounts = (): Statement<JudgedProblem> =>
  decoded(
    sql`select id from ${issuers} where ${issuers.last_error} = ${ACCOUNT_CHANGED} order by id`,
    ({ id }) => ({
      object: String(id),
      code: ISSUER_ACCOUNT_CHANGED,
      msg: `${ACCOUNT_CHANGED} The issuer's caa is the new one. Any change of the issuer ends this problem.`,
      effect: "warning",
    }),
  );

/** The code of {@link changedAccounts}. */
export const ISSUER_ACCOUNT_CHANGED = "issuer_account_changed";

/** The columns in which a row differs from what it was. */
const changesOf = (before: OrderRow, after: OrderRow): [string, Value][] => {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, bound(value)]));
  return Object.entries(after).flatMap(([name, value]): [string, Value][] =>
    bound(value) === old.get(name) ? [] : [[name, bound(value)]],
  );
};

const assignments = (changes: [string, Value][]): Sql =>
  join(changes.map(([name, value]) => sql`${bare(name)} = ${value}`));

/**
 * No other agent has an order for the host in progress: an authority returns the same order to the same account, and two requests
 * cannot finalize it both.
 */
const isAlone = ({ agent, host, issuer_id }: OrderRow, now: number): Sql =>
  sql`not exists (select 1 from ${table} as other where other.issuer_id = ${issuer_id} and other.host = ${host} and other.agent <> ${agent}
    and (other.order_url is not null or other.lease_until > ${now}))`;

/**
 * Stores a row if it did not change since it was read, and returns it.
 *
 * @param before as it was read; undefined if there was none
 * @param condition what else must hold
 */
function store(
  before: OrderRow | undefined,
  row: OrderRow,
  condition: Sql,
  now: number,
): Statement<OrderRow> {
  if (!before) {
    const columns = Object.entries(row);
    return decoded(
      sql`insert into ${table} (${join(columns.map(([name]) => bare(name)))})
        select ${join(columns.map(([, value]) => sql`${bound(value)}`))} where ${condition}
        on conflict (agent, host) do nothing returning *`,
      decode,
    );
  }
  const changes = changesOf(before, row);
  const set: [string, Value][] = changes.length > 0 ? changes : [["asked_at", row.asked_at]];
  return decoded(
    sql`update ${table} set ${assignments(set)}
      where ${isOwn(row)} and ${table.lease_until} <= ${now} and ${table.state} = ${before.state} and ${table.csr} = ${before.csr}
        and ${table.order_url} is ${before.order_url} and ${condition} returning *`,
    decode,
  );
}

/** Stores a row that needs no step. */
export const storeRow = (before: OrderRow | undefined, row: OrderRow, now: number): Statement<OrderRow> =>
  store(before, row, raw("true"), now);

/**
 * Claims a row for a step, after changes of it; returns the row. Returns none if the row was changed or claimed meanwhile, if another
 * agent has an order for the host, or if the issuer was deleted.
 *
 * @param before the row as it was read; undefined if there was none
 * @param row as it becomes
 */
export function claim(
  before: OrderRow | undefined,
  row: OrderRow,
  lease: string,
  now: number,
): Statement<OrderRow> {
  const leased = { ...row, lease, lease_until: now + LEASE_MILLISECONDS };
  const exists = sql`exists (select 1 from ${issuers} where ${issuers.id} = ${row.issuer_id})`;
  const condition = row.state === "issued" ? exists : sql`${exists} and ${isAlone(row, now)}`;
  return store(before, leased, condition, now);
}

/**
 * Writes the result of a step, unless the lease has ended and another step was made. Records the event of a certificate that was issued.
 * The first statement returns a row.
 *
 * @param claimed as it was claimed, with the end of the step as `lease_until`
 */
export function finish(claimed: OrderRow, changes: Partial<OrderRow>, cause: Cause): Sql[] {
  const after = { ...claimed, ...changes, lease: null };
  const written = sql`update ${table} set ${assignments([["lease_until", after.lease_until], ...changesOf(claimed, after)])}
    where ${isOwn(claimed)} and ${table.lease} = ${claimed.lease} returning agent`;
  const { agent, host, issuer_id, serial, not_after } = after;
  if (after.state !== "issued" || claimed.state === "issued" || not_after === null) return [written];
  const event = {
    id: `crt_${serial}`,
    host,
    agent,
    serial,
    certificate_issuer_id: issuer_id,
    not_after: timestamp(not_after),
  };
  return [written, recordAlone("certificate", "issued", event, cause)];
}

/** Deletes what an agent has asked for. @param host of one request; all of them without it */
export const forgetRequests = (agent: string, host?: string): Sql =>
  sql`delete from ${table} where ${host === undefined ? sql`${table.agent} = ${agent}` : isOwn({ agent, host })}`;

/** The most requests to which a run makes a step. */
const STEPS_AT_ONCE = 20;

/** A request whose agent has stopped asking. */
export interface DueOrder {
  row: OrderRow;
  /** Whether an edge has the host, and the key that asked exists and owns the agent. */
  isWanted: boolean;
}

/**
 * Reads requests that need a step and whose agents have stopped asking: first those whose orders keep other agents waiting, then those
 * without any certificate. To be sent after {@link forgetAbandoned}.
 */
export const dueOrders = (now: number): Statement<DueOrder> =>
  decoded(
    sql`select *, exists (select 1 from ${agents} where ${agents.name} = ${table.agent} and ${agents.key_id} = ${table.key_id})
        and (${table.key_id} not glob 'ak_*' or exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${table.key_id})) and (${hasEdge(sql`${table.host}`)}) as is_wanted
      from ${table} where ${isDue(now)} and not (${needsNoStep()}) order by ${table.order_url} is null, ${table.serial} is not null, ${table.next_attempt_at}
      limit ${raw(STEPS_AT_ONCE)}`,
    ({ is_wanted, ...row }) => ({ row: decode(row), isWanted: is_wanted === 1 }),
  );

const isDue = (now: number): Sql =>
  sql`${table.next_attempt_at} <= ${now} and ${table.asked_at} < ${now - STOPPED_ASKING} and ${table.lease_until} <= ${now}`;

/** It is issued or paused, or no certificate is ordered for such a host. */
const needsNoStep = (): Sql =>
  sql`${table.state} in ('issued', 'paused') or ${table.state} = 'failing' and ${table.failures} = 0`;

/** Deletes requests that need no step and whose agents have stopped asking for a long time. */
export const forgetAbandoned = (now: number): Sql =>
  sql`delete from ${table} where ${isDue(now)} and (${needsNoStep()})`;

/** What the inventory shows of requests: those of a host, by agent. */
export type ShownOrder = Pick<
  OrderRow,
  "agent" | "host" | "issuer_id" | "state" | "failures" | "renews_at" | "last_error" | "next_attempt_at"
>;

/** Whether an attempt follows. */
export const needsStep = ({ state, failures }: ShownOrder): boolean =>
  state === "pending" || (state === "failing" && failures > 0);

/** The most requests that the inventory reads. */
const MOST_SHOWN = 50_000;

/** Reads what all agents ask for, without chains. */
export const allOrders = (): Statement<ShownOrder> =>
  decoded(
    sql`select agent, host, issuer_id, state, failures, renews_at, last_error, next_attempt_at from ${table} limit ${raw(MOST_SHOWN)}`,
    decode,
  );

/** There are requests for a host. */
export const isAsked = (host: string): Sql => sql`exists (select 1 from ${table} where ${isOfHost(host)})`;

/** The index starts with the issuer. */
const isOfHost = (host: string): Sql =>
  sql`${table.issuer_id} in (select ${issuers.id} from ${issuers}) and ${table.host} = ${host}`;

/** Makes the requests for a host due now: certificates are renewed, and failures are forgotten. An authority that is down is not asked earlier. */
export const renew = (host: string, now: number): Sql =>
  sql`update ${table} set renews_at = iif(state = 'issued', ${now}, renews_at), failures = 0,
      next_attempt_at = iif(state in ('failing', 'paused'), ${now}, next_attempt_at), state = iif(state = 'issued', state, 'pending')
    where ${isOfHost(host)} returning agent`;
