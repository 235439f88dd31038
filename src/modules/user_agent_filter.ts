import * as z from "zod";
import { clearableList, nonEmpty, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

const meanings = {
  allow: "Regular expressions of user agents that are allowed, regardless of `deny`.",
  deny: "Regular expressions of user agents that are rejected.",
};

/** In bytes. The expressions are not compiled here, because their dialect depends on the proxy that serves the traffic. */
const EXPRESSION_BYTES = 1024;

const expressions = (meaning: string) =>
  clearableList(nonEmpty(EXPRESSION_BYTES)).describe(
    `${meaning} Each of 1 to ${EXPRESSION_BYTES} bytes of UTF-8.`,
  );

/** Rejects requests by their `User-Agent`. */
export const userAgentFilter = plainModule({
  name: "user_agent_filter",
  title: "user agent filter",
  about:
    "Blocks bots and other clients by their `User-Agent`. A match of `allow` overrides every match of `deny`. A request without the header is rejected unless an `allow` expression matches the empty string.",
  example: { allow: ["(?i)^acme-monitor/"], deny: ["(?i)bot"] },
  sent: () =>
    requestObject({
      enabled: enabled(),
      allow: expressions(meanings.allow).default(null),
      deny: expressions(meanings.deny).default(null),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      allow: z.array(z.string()).nullable().describe(meanings.allow),
      deny: z.array(z.string()).nullable().describe(meanings.deny),
    }),
});
