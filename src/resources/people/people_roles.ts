import * as z from "zod";
import { peopleRoles, type PersonRole } from "../../../packages/model/src/roles.ts";

/*
 * Which role a person gets at sign-in: `PEOPLE_ROLES`, a JSON list of rules, of which the first that matches counts.
 */

const Rules = z.lazy(() =>
  z.array(
    z.union([
      z.strictObject({ group: z.string().min(1), role: z.enum(peopleRoles) }),
      z.strictObject({ email: z.string().min(1), role: z.enum(peopleRoles) }),
    ]),
  ),
);

type Rule = z.output<typeof Rules>[number];

/** The rules; none if the variable is unset, undefined if it is malformed. */
export function rulesOf(text: string | undefined): Rule[] | undefined {
  if (!text) return [];
  try {
    const result = Rules.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

/** Claims of an ID token (OpenID Connect Core §2, §5.1). */
export type TokenClaims = Record<string, unknown>;

/** What the claims say about a person's role: the role, or the reason why there is none, for the log and for the person. */
export function roleFor(
  claims: TokenClaims,
  rules: Rule[],
  groupsClaim: string,
): { role: PersonRole } | { reason: string } {
  if (isOverage(claims, groupsClaim))
    return { reason: "the token refers to groups kept elsewhere: limit the groups that the provider sends" };
  const sent = claims[groupsClaim];
  const groups: unknown[] = Array.isArray(sent) ? sent : [sent];
  const email = claims["email_verified"] === true ? claims["email"] : undefined;
  const rule = rules.find((each) =>
    "group" in each
      ? groups.includes(each.group)
      : typeof email === "string" && patternOf(each.email).test(email),
  );
  if (rule) return { role: rule.role };
  const came = sent === undefined ? "is missing" : `has ${shown(groups)}`;
  const ignored =
    email === undefined && claims["email"] !== undefined
      ? ", and the address is ignored, because the claim email_verified is not true"
      : "";
  return { reason: `no rule of PEOPLE_ROLES matches: the claim ${groupsClaim} ${came}${ignored}` };
}

/** The most values of a claim that are shown, and the most characters of each. */
const SHOWN = 10;
const LONGEST = 60;

function shown(values: unknown[]): string {
  const texts = values.slice(0, SHOWN).map((value) => (JSON.stringify(value) ?? "").slice(0, LONGEST));
  const others = values.length > SHOWN ? ` and ${values.length - SHOWN} more` : "";
  return texts.length === 0 ? "no values" : texts.join(", ") + others;
}

/** True if the provider left out the groups because there are too many (claims by reference, OpenID Connect Core §5.6.2). */
function isOverage(claims: TokenClaims, groupsClaim: string): boolean {
  const names = claims["_claim_names"];
  const isElsewhere = typeof names === "object" && names !== null && Object.hasOwn(names, groupsClaim);
  return isElsewhere || claims["hasgroups"] === true;
}

/** A pattern of whole addresses, in which `*` stands for any characters except `@`. */
const patternOf = (text: string): RegExp =>
  new RegExp(`^${text.split("*").map(escaped).join("[^@]*")}$`, "i");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
