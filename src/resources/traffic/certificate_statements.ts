import { timestamp } from "../../../packages/model/src/clock.ts";
import {
  CERTIFICATES_BYTES,
  lastQuarter,
  type ServedCertificate,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { type Cause, recordEach } from "../../db/event_writes.ts";
import {
  agentCertificates as table,
  agents,
  certificateNotices as notices,
  uses,
} from "../../db/internal_schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { isUp } from "./agent_statements.ts";

/*
 * The certificates that agents report: one row for each agent, which is only written when its report changes. Machines often have the
 * same certificates, so each different report is read once. The minute's run records events of certificates that end.
 */

/** What an agent reports of its certificates. */
interface CertificateReport {
  certificates: ServedCertificate[];
  certificates_left_out: number;
}

/** The same report of several agents. */
export interface SharedReport {
  agents: string[];
  /** Whether it has all certificates of these agents. */
  isComplete: boolean;
  certificates: ServedCertificate[];
}

/** The most bytes of reports that a request reads. The certificates of further reports are unknown. */
const MOST_BYTES = 4_000_000;

const isOwn = (name: string, keyId: string): Sql =>
  sql`exists (select 1 from ${agents} where ${agents.name} = ${name} and ${agents.key_id} = ${keyId})`;

/** Writes what an agent reports of its certificates, if that has changed and the key owns the name. */
export function reportCertificates(name: string, keyId: string, report: CertificateReport | undefined): Sql {
  if (!report) return sql`delete from ${table} where ${table.agent} = ${name} and ${isOwn(name, keyId)}`;
  const { certificates, certificates_left_out: leftOut } = report;
  const used = certificates.filter((one) => one.used);
  const first = (instants: number[]): number | null => (instants.length === 0 ? null : Math.min(...instants));
  const text = JSON.stringify(certificates);
  return sql`insert into ${table} (agent, digest, left_out, ends_at, ending_from, certificates)
    select ${name}, ${digestOf(`${leftOut} ${text}`)}, ${leftOut}, ${first(used.map(({ not_after }) => Date.parse(not_after)))},
      ${first(used.map(lastQuarter))}, ${text} where ${isOwn(name, keyId)}
    on conflict (agent) do update set digest = excluded.digest, left_out = excluded.left_out, ends_at = excluded.ends_at,
      ending_from = excluded.ending_from, certificates = excluded.certificates where ${table.digest} <> excluded.digest`;
}

function digestOf(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Deletes what an agent has reported. */
export const forgetCertificates = (name: string): Sql =>
  sql`delete from ${table} where ${table.agent} = ${name}`;

const toReport = (names: string[], leftOut: unknown, certificates: unknown): SharedReport => ({
  agents: names,
  isComplete: leftOut === 0 && typeof certificates === "string",
  certificates: typeof certificates === "string" ? parsedAs<ServedCertificate[]>(certificates) : [],
});

/** Reads what the agents report that are not down. @param now milliseconds since the Unix epoch */
export const allReports = (now: number): Statement<SharedReport> =>
  decoded(
    sql`with report as (select min(${agents.name}) as agent, json_group_array(${agents.name}) as names
          from ${agents} left join ${table} on ${table.agent} = ${agents.name} where ${isUp(now)} group by ${table.digest}),
        measured as (select names, left_out, certificates, sum(octet_length(certificates)) over (order by report.agent) as bytes
          from report left join ${table} on ${table.agent} = report.agent)
      select names, left_out, iif(bytes <= ${raw(MOST_BYTES)}, certificates, null) as certificates from measured`,
    ({ names, left_out, certificates }) =>
      toReport(parsedAs<string[]>(String(names)), left_out, certificates),
  );

/** Reads reports with a used certificate in the last quarter of its life. */
export const endingReports = (now: number): Statement<SharedReport> =>
  decoded(
    sql`select agent, left_out, certificates from ${table} cross join ${agents} on ${agents.name} = ${table.agent}
      where ${table.ending_from} <= ${now} and ${isUp(now)} order by ending_from limit ${raw(Math.floor(MOST_BYTES / CERTIFICATES_BYTES))}`,
    ({ agent, left_out, certificates }) => toReport([String(agent)], left_out, certificates),
  );

/** When the first of an agent's used certificates ends, and when the last quarter of the life of one begins. In milliseconds. */
export interface CertificateEnds {
  agent: string;
  ends_at: number;
  ending_from: number;
}

/** Reads when the certificates of all agents end that use any. Reads no certificates. */
export const certificateEnds: Statement<CertificateEnds> = decoded(
  sql`select agent, ends_at, ending_from from ${table} where ends_at is not null order by agent`,
  ({ agent, ends_at, ending_from }) => ({
    agent: String(agent),
    ends_at: Number(ends_at),
    ending_from: Number(ending_from),
  }),
);

/** How many days before a certificate ends events are recorded, if these days are in the last quarter of its life. */
const DAYS = [1, 3, 7, 14];

/** The most events of a run. */
const NOTICES_AT_ONCE = 20;

/** How long it is remembered which events were recorded, after the certificate's end: clocks of isolates differ. In milliseconds. */
const REMEMBERED = 86_400_000;

/** The smallest of {@link DAYS} that is not over yet; NULL before the first, after the end, and outside of the last quarter. */
function daysLeft(now: number): Sql {
  const left = sql`unixepoch(not_after) - ${Math.floor(now / 1000)}`;
  const life = sql`unixepoch(not_after) - unixepoch(not_before)`;
  const cases = DAYS.map(
    (day) =>
      sql`when ${left} <= ${raw(day * 86_400)} and ${life} >= ${raw(4 * day * 86_400)} then ${raw(day)}`,
  );
  return sql`case when ${left} <= 0 then null ${join(cases, " ")} end`;
}

/** An edge that clients connect to with TLS has the host. */
const isOfEdge = (): Sql =>
  join(
    ["", "."].map(
      (
        end,
      ) => sql`exists (select 1 from ${uses} where ${uses.target} > host || ${raw(`'${end}:'`)} and ${uses.target} < host || ${raw(`'${end};'`)}
      and (${uses.user} glob 'edghts_*' or ${uses.user} glob 'edgtls_*'))`,
    ),
    " or ",
  );

/** Hosts of used certificates that end, of which no event was recorded yet: keys of agents in turn, so that no key can crowd out others. */
const due = (now: number): Sql => sql`named as (
    select host.value as host, one.value ->> '$.serial' as serial, one.value ->> '$.not_before' as not_before,
      one.value ->> '$.not_after' as not_after, max(one.value ->> '$.issuer') as issuer, ${agents.key_id} as owner
    from ${table} cross join ${agents} on ${agents.name} = ${table.agent}
      cross join json_each(${table.certificates}) as one cross join json_each(one.value, '$.hosts') as host
    where ${table.ending_from} <= ${now} and ${isUp(now)} and one.value ->> '$.used' group by 1, 2, 4, owner),
  turns as (
    select *, row_number() over (partition by owner order by not_after, host) as turn from (select *, ${daysLeft(now)} as days from named) as own
    where days is not null and (host glob '[*].*' or ${isOfEdge()})
      and not exists (select 1 from ${notices} where ${notices.not_after} = own.not_after and ${notices.host} = own.host
        and ${notices.serial} = own.serial and ${notices.days} = own.days)),
  due as (
    select host, serial, not_after, max(issuer) as issuer, days from turns group by host, serial, not_after
    order by min(turn), not_after, host, serial limit ${raw(NOTICES_AT_ONCE)})`;

/**
 * Records events of certificates that end, each once: statements for one batch, the second of which returns a row for each event. Reads
 * nothing if no certificate is in the last quarter of its life.
 */
export function notifyOfEnds(now: number, cause: Cause): Sql[] {
  const object = sql`json_object('id', 'crt_' || serial, 'host', host, 'serial', serial, 'issued_by', issuer, 'not_after', not_after, 'within_days', days)`;
  return [
    recordEach(
      "certificate",
      "ending",
      { with: due(now), rows: sql`select ${object} as object from due` },
      cause,
    ),
    sql`insert into ${notices} (not_after, host, serial, days) with ${due(now)}
      select not_after, host, serial, days from due where true on conflict do nothing returning days`,
    sql`delete from ${notices} where ${notices.not_after} < ${timestamp(now - REMEMBERED)}`,
  ];
}
