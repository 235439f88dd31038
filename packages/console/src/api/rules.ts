import { useQuery } from "@tanstack/preact-query";
import { networkOf } from "../base/networks.ts";
import { type DataChange, type Event, followed } from "./cache.ts";
import { api, bodyOf, type Schemas } from "./client.ts";
import { isOf, listOf } from "./lists.ts";

/*
 * The rules of a policy. Only pages about policies load this module, because a policy can have many rules.
 */

type Rule = Schemas["IpPolicyRulesList"]["rules"][number];

/** A policy's rules with the ETag that a replacement needs. The ETag is undefined if the rules have changed since they were read. */
export interface TaggedRules {
  etag: string | undefined;
  rules: Rule[];
}

/** The order of networks: IPv4 before IPv6, a network before those that it contains. */
function isLower(a: Rule, b: Rule): boolean {
  const [left, right] = [networkOf(a.cidr), networkOf(b.cidr)];
  if (!left || !right) return false;
  if (left.family !== right.family) return left.family < right.family;
  if (left.first !== right.first) return left.first < right.first;
  return left.last === right.last ? a.id < b.id : left.last > right.last;
}

/** A rule as the list shows it. */
function toRule(object: Event["object"]): Rule | undefined {
  if (!isOf("ipr", object)) return undefined;
  const { id, uri, cidr, action, description, metadata, expires_at } = object;
  return {
    id,
    uri,
    cidr,
    action,
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata }),
    ...(expires_at !== undefined && { expires_at }),
  };
}

/** Changes the rules of a policy. */
function changeRules(id: string): DataChange<TaggedRules> {
  const change = listOf(toRule, isLower);
  return (tagged, recorded) => {
    const { object } = recorded.event;
    if (object.id === id) return { ...tagged, etag: undefined };
    const policy = object["ip_policy"];
    const isOwn = typeof policy === "object" && policy !== null && "id" in policy && policy.id === id;
    const rules = isOwn ? change(tagged.rules, recorded) : tagged.rules;
    return rules === tagged.rules ? tagged : { etag: undefined, rules };
  };
}

/** Reads all rules of a policy. If they change between two pages, it starts again. @throws RequestFailure */
export async function readRules(id: string): Promise<TaggedRules & { etag: string }> {
  const rules: TaggedRules["rules"] = [];
  let etag: string | undefined;
  for (;;) {
    const last = rules.at(-1);
    const query = last ? { limit: 10_000, after: last.id } : { limit: 10_000 };
    const answer = await api.GET("/ip_policies/{id}/rules", { params: { path: { id }, query } });
    const page = await bodyOf(Promise.resolve(answer));
    const current = answer.response.headers.get("ETag") ?? "";
    if (etag !== undefined && etag !== current) return readRules(id);
    etag = current;
    rules.push(...page.rules);
    if (page.next_page_uri === null) return { etag, rules };
  }
}

export const rulesQuery = (id: string) => followed(["rules", id], () => readRules(id), changeRules(id));
export const useRules = (id: string) => useQuery(rulesQuery(id));
