import { PAGE_BYTES } from "../../db/page_statement.ts";
import { ipPolicies as policies, ipPolicyRules as rules } from "../../db/schema.ts";
import { decoded, join, raw, type Sql, sql, type Statement } from "../../db/statements.ts";

/*
 * Reads the rules of one policy in the order of their networks. No index has that order: each page reads all rules of the policy,
 * and sorts them by a key that is computed from the CIDR.
 */

/** The network of a rule and the length of its prefix. */
const network = sql`substr(cidr, 1, instr(cidr, '/') - 1)`;
const prefix = sql`substr('00' || substr(cidr, instr(cidr, '/') + 1), -3)`;

/** A JSON list of the numbers in an IPv4 address. */
const octets = sql`'[' || replace(${network}, '.', ',') || ']'`;

/** An IPv6 address whose `::`, if it has one, is between two groups. */
const inner = sql`iif(cidr like '::%', '0', '') || ${network} || iif(cidr like '%::/%', '0', '')`;
const colons = sql`(length(${network}) - length(replace(${network}, ':', '')))`;
/** A JSON list of the eight groups of an IPv6 address. */
const groups = sql`'["' || replace(replace(${inner}, '::', ':' || substr('0:0:0:0:0:0:', 1, 2 * (8 - ${colons}))), ':', '","') || '"]'`;

/** The first `count` items of the JSON list in `parts`, with leading zeros. */
const padded = (count: number, zeros: string): Sql =>
  join(
    Array.from(
      { length: count },
      (_, i) =>
        sql`substr(${raw(`'${zeros}'`)} || (parts ->> ${raw(`'$[${i}]'`)}), ${raw(-zeros.length - 1)})`,
    ),
    " || ",
  );

/** Sorts rules by network: IPv4 before IPv6, a network before those that it contains, then by id. */
const place = sql`iif(parts like '["%', '6' || ${padded(8, "000")}, '4' || ${padded(4, "00")}) || ${prefix} || id`;

/** Bytes of a rule in a response in addition to its strings and to the origin in its URI. */
const FRAME_BYTES = 200;

/** A rule as a page shows it. */
export interface ListedRule {
  id: string;
  cidr: string;
  action: "allow" | "deny";
  description: string | null;
  metadata: string | null;
  expires_at: string | null;
}

const orNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/**
 * Reads the rules of a page, and one more if there is another page: at most `limit`, and at most {@link PAGE_BYTES} unless the
 * page is a single rule.
 *
 * @param after the id of the rule that the page starts after, which must exist
 * @param origin the start of every URI
 */
export function rulePage(
  ip_policy_id: string,
  limit: number,
  after: string | undefined,
  origin: string,
): Statement<ListedRule & { fits: boolean }> {
  const placed = (condition: Sql) =>
    sql`select *, ${place} as place from (
      select *, iif(cidr like '%.%', ${octets}, ${groups}) as parts from ${rules} where ${condition})`;
  const ofPolicy = placed(sql`ip_policy_id = ${ip_policy_id}`);
  const start =
    after === undefined ? sql`` : sql`where place > (select place from (${placed(sql`id = ${after}`)}))`;
  const bytes = sql`${raw(FRAME_BYTES)} + ${origin.length} + coalesce(octet_length(json_quote(description)), 0)
    + coalesce(octet_length(json_quote(metadata)), 0)`;
  return decoded(
    sql`select * from (
        select *, sum(bytes) over (order by place rows unbounded preceding) as total from (
          select id, cidr, action, description, metadata, expires_at, place, ${bytes} as bytes
          from (${ofPolicy}) ${start} order by place limit ${limit + 1}))
      where total - bytes <= ${raw(PAGE_BYTES)} order by place`,
    ({ id, cidr, action, description, metadata, expires_at, total, bytes: own }) => ({
      id: String(id),
      cidr: String(cidr),
      action: action === "deny" ? "deny" : "allow",
      description: orNull(description),
      metadata: orNull(metadata),
      expires_at: orNull(expires_at),
      fits: Number(total) <= PAGE_BYTES || total === own,
    }),
  );
}

/** Reads the version of a policy, and whether the rule `after` is one of its rules. */
export const policyOfPage = (
  id: string,
  after: string | undefined,
): Statement<{ version: number; hasStart: boolean }> =>
  decoded(
    sql`select version, ${
      after === undefined
        ? raw("1")
        : sql`exists (select 1 from ${rules} where id = ${after} and ip_policy_id = ${id})`
    } as has_start
      from ${policies} where ${policies.id} = ${id}`,
    ({ version, has_start }) => ({ version: Number(version), hasStart: has_start === 1 }),
  );
