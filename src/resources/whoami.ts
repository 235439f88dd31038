import * as z from "zod";
import { exampleId, exampleRef, Ref, ref } from "../../packages/model/src/ids.ts";
import { roles } from "../../packages/model/src/roles.ts";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import { ROOT } from "../http/env.ts";
import { unauthenticated } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { respond } from "../http/respond.ts";
import { endpoints } from "../http/router.ts";

/*
 * Tells callers which key they use, and what it may do.
 */

const Identity = schema("Identity", () => ({
  description: "Who the caller is, and what the caller may do.",
  examples: [
    {
      id: exampleId("api_key"),
      kind: "api_key",
      subject: "deploy",
      role: "editor",
      owner: exampleRef("bot_user"),
      expires_at: null,
    },
  ],
  type: z.strictObject({
    id: z
      .string()
      .describe("Id of the API key, or of the person who signed in; `root` for the operator's key."),
    kind: z
      .enum(["api_key", "root", "user"])
      .describe(
        "Who the caller is: an API key, the operator's key, or a person who signed in. A browser in which somebody signed in with a key is that key.",
      ),
    subject: z
      .string()
      .describe(
        "Human-readable name: the email address of the person, the name of the bot user that owns the key, otherwise the description of the key, or its id if it has none.",
      ),
    role: z.enum(roles).describe("What the caller may do."),
    owner: Ref.nullable().describe("The bot user or the person that owns the key; null if there is none."),
    expires_at: z
      .string()
      .nullable()
      .describe("When the key, or the session, stops working (RFC 3339); null if it does not expire."),
  }),
}));

export const whoami = endpoints().get(
  "/",
  operation({
    id: "WhoamiGet",
    access: "any",
    summary: "Get the caller's identity",
    description:
      "Returns which API key the request was sent with, or who has signed in, with the role, the owner and the expiry. Use it to check that a key works.",
    tag: "API keys",
    isConstant: true,
    status: 200,
    response: Identity,
  }),
  (c) => {
    const { caller, origin } = c.get("request");
    if (!caller) throw unauthenticated();
    const { keyId, subject, role, ownerId, expiresAt, session } = caller;
    const isPerson = keyId === ownerId;
    const body = {
      id: keyId,
      kind: keyId === ROOT ? "root" : isPerson ? "user" : "api_key",
      subject,
      role,
      owner: ownerId === null || isPerson ? null : ref(origin, ownerId),
      expires_at: session?.expiresAt ?? expiresAt,
    } satisfies z.output<typeof Identity>;
    return respond(c, 200, JSON.stringify(body));
  },
);
