import { expect, test } from "vitest";
import { exampleOf } from "../support/examples.ts";
import * as given from "../support/given.ts";
import { type Breakage, breakagesOf, expectRejected, type Valid } from "./breakages.ts";
import { documented, type Documented, filled } from "./document.ts";
import { report } from "./run.ts";

/*
 * Every operation rejects every kind of invalid request before it reads anything, so the ids in paths need not belong to
 * any object. All invalid hostports, CIDRs and the like are sent; of other kinds, operations take turns with the variants,
 * and contract.test.ts sends them all.
 */

report("Invalid requests");

const tokens = {
  viewer: (await given.key({ role: "viewer" }))["token"],
  editor: (await given.key({ role: "editor" }))["token"],
};

function validOf(operation: Documented): Valid {
  const { ids, method, path, body } = operation;
  const url = path.replace("{name}", "lisbon-1").replace("{type}", "ip_policy_updated.v0");
  return {
    operation,
    path: filled(
      url,
      ids.map(({ prefix }) => `${prefix}2fCzyKyxGFFQjbGvSPXiVOWCOkX`),
    ),
    body: body && exampleOf(method, path.replace(/\{(\w+)\}/g, ":$1")),
    tokens,
    isManaged: false,
  };
}

/** True for a check that needs no stored objects. A simulated request may have any URL, unlike a webhook, and names objects. */
const isEarly = ({ code, kind }: Breakage, { path }: Documented): boolean =>
  !["ERR_UNKNOWN_REFERENCE", "ERR_PRECONDITION_FAILED"].includes(code) &&
  kind !== "a source that does not exist" &&
  !(path === "/simulations" && /invalid (?:url|name in a map)/.test(kind));

// Only pages of the service itself can sign in: see people.test.ts.
const each = documented
  .filter(({ id }) => id !== "AuthKeySignIn")
  .map((operation, turn) => [operation.id, operation, turn] as const);

test.each(each)("%s", async (_, operation, turn) => {
  const valid = validOf(operation);
  const early = breakagesOf(valid).filter((breakage) => isEarly(breakage, operation));
  for (const [kind, variants = []] of Object.entries(Object.groupBy(early, (one) => one.kind)))
    for (const [i, breakage] of variants.entries()) {
      if (
        !/an invalid|out of bounds|does not match the pattern|not supported|^operations:/.test(kind) &&
        i !== turn % variants.length
      )
        continue;
      const { cost } = await expectRejected(valid, breakage);
      // A key is looked up, and its use recorded, unless it is the root key. A rule's end is compared when it is written.
      const most = breakage.code === "ERR_FORBIDDEN" ? 2 : kind.endsWith("an invalid expires_at") ? 1 : 0;
      expect(cost.roundTrips, kind).toBeLessThanOrEqual(most);
    }
});
