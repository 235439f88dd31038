import { useQuery } from "@tanstack/preact-query";
import { type DataChange, followed } from "./cache.ts";
import { api, bodyOf, clockSkew, type Schemas } from "./client.ts";
import { isOf, listOf } from "./lists.ts";
import { identity, mayAdminister } from "./session.ts";

/*
 * Rules and keys that expire.
 */

type Rule = Schemas["IpPolicyRule"];
type Key = Schemas["ApiKey"];

/** A rule or a key that expires. */
export type EndingObject = (Rule | Key) & { expires_at: string };

export const DAYS_AHEAD = 30;
/** Milliseconds by which clocks can differ: a key that was just made for 30 days ends within the next 30 days. */
const MARGIN = 10_000;
const DAY = 86_400_000;

const hasEnd = (object: Rule | Key): object is EndingObject => object.expires_at !== undefined;

/** The keys that the user can see: all keys, their own keys, or none. */
async function keysBefore(expires_before: string): Promise<Key[]> {
  if (mayAdminister.value)
    return (await bodyOf(api.GET("/api_keys", { params: { query: { expires_before } } }))).keys;
  return identity.value?.kind === "user" ? (await bodyOf(api.GET("/users/me/keys"))).keys : [];
}

/** The rules and keys that expire within {@link DAYS_AHEAD} days, soonest first; at most a hundred of each. */
export const useEnding = () => {
  const before = (): string =>
    new Date(Date.now() + clockSkew.value + DAYS_AHEAD * DAY + MARGIN).toISOString();
  const change: DataChange<EndingObject[]> = listOf(
    (object) =>
      (isOf("ipr", object) || (mayAdminister.value && isOf("ak", object))) &&
      hasEnd(object) &&
      object.expires_at < before()
        ? object
        : undefined,
    (a, b) => a.expires_at < b.expires_at,
  );
  return useQuery({
    ...followed(
      ["ending", mayAdminister.value],
      async () => {
        const expires_before = before();
        const [{ ip_policy_rules: rules }, keys] = await Promise.all([
          bodyOf(api.GET("/ip_policy_rules", { params: { query: { expires_before } } })),
          keysBefore(expires_before),
        ]);
        return [...rules, ...keys]
          .filter(hasEnd)
          .filter(({ expires_at }) => expires_at < expires_before)
          .toSorted((a, b) => (a.expires_at < b.expires_at ? -1 : 1));
      },
      change,
    ),
    staleTime: 60_000,
  });
};
