import * as z from "zod";
import { ref, type Ref, uriOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { peopleRoles } from "../../../packages/model/src/roles.ts";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { exampleObject, objectMembers, toObject } from "../common.ts";
import type { StoredSession, StoredUser as Row } from "./session_statements.ts";

/*
 * People, their sessions and rejected sign-ins as responses and events show them.
 */

export const meanings = {
  role: "The role that an admin has set. It overrides the role that the identity provider's groups give.",
  active: "Whether the person may sign in. Deactivating a person ends all sessions and personal keys.",
};

export const User = schema("User", () => ({
  description: kinds.user.about,
  examples: [
    {
      ...exampleObject("user"),
      issuer: "https://login.example.com",
      subject: "248289761001",
      email: "ada@example.com",
      name: "Ada Lovelace",
      provider_role: "editor",
      active: true,
      last_seen_at: "2026-01-02T03:04:05Z",
    },
  ],
  type: z.strictObject({
    ...objectMembers(),
    issuer: z.string().describe("The identity provider. With `subject`, it identifies the person."),
    subject: z.string().describe("The person's identifier at the provider."),
    email: z
      .string()
      .describe("The email address at the last sign-in. Omitted if the provider sends none.")
      .optional(),
    name: z.string().describe("The name at the last sign-in. Omitted if the provider sends none.").optional(),
    role: z.enum(peopleRoles).describe(`${meanings.role} Omitted if not set.`).optional(),
    provider_role: z
      .enum(peopleRoles)
      .describe("The role that the provider's groups gave at the last sign-in. Omitted if none.")
      .optional(),
    active: z.boolean().describe(meanings.active),
    last_seen_at: z.string().describe("When the person last signed in (RFC 3339)."),
  }),
}));

/** A row as responses show it. */
export const toUser = (row: Row, origin: string): z.output<typeof User> => ({
  ...toObject(row, origin),
  issuer: row.issuer,
  subject: row.subject,
  email: row.email ?? undefined,
  name: row.name ?? undefined,
  role: row.role ?? undefined,
  provider_role: row.provider_role ?? undefined,
  active: row.active,
  last_seen_at: row.last_seen_at,
});

/** A session as events show it. */
export const toSession = (
  row: StoredSession,
  origin: string,
): { id: string; uri: string; user: z.output<typeof Ref> | null } & Record<string, unknown> => ({
  ...toObject(row, origin),
  user: row.user_id === null ? null : ref(origin, row.user_id),
  key: row.key_id === null ? null : ref(origin, row.key_id),
  role: row.role,
  expires_at: row.expires_at,
});

/** A rejected sign-in as events show it. */
export const toSignIn = (
  { id, way, reason }: { id: string; way: string; reason: string },
  origin: string,
): { id: string; uri: string; way: string; reason: string } => ({ id, uri: uriOf(origin, id), way, reason });
