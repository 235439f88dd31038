import * as z from "zod";
import { evenIfWrong, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { secret } from "../../packages/model/src/values/secrets.ts";
import type { StoredWebhookVerification } from "../db/column_types.ts";
import type { ChangeSecret } from "../db/seals.ts";
import { edgeModule, enabled, isEnabled } from "./module.ts";

const meanings = {
  provider: "The sender of the webhooks: at most 64 letters, digits and underscores.",
  secret:
    "The webhook secret that the provider signs with. Required, except for `sns`, whose signatures do not need a secret.",
};

/** Amazon SNS signs with certificates that it publishes. */
export const needsNoSecret = (provider: unknown): boolean =>
  typeof provider === "string" && provider.toLowerCase() === "sns";

/** The stored module with its secret, if it has one, changed by `change`. */
export const mapSecret = async (
  stored: StoredWebhookVerification,
  change: ChangeSecret,
): Promise<StoredWebhookVerification> =>
  stored.secret === undefined ? stored : { ...stored, secret: await change(stored.secret, "secret") };

/** Accepts only webhooks that their provider has signed. The secret is sealed. */
export const webhookVerification = edgeModule({
  name: "webhook_verification",
  title: "webhook verification",
  about: "Accepts only webhooks that their provider has signed.",
  example: { provider: "github", secret: "<SECRET>" },
  sent: () =>
    requestObject({
      enabled: enabled(),
      provider: z
        .string()
        .regex(/^\w{1,64}$/, "Expected 1 to 64 letters, digits and underscores.")
        .describe(meanings.provider),
      secret: secret()
        .meta({ description: `${meanings.secret} Write-only.`, writeOnly: true })
        .exactOptional(),
    })
      .refine(({ provider, secret }) => secret !== undefined || needsNoSecret(provider), {
        path: ["secret"],
        error: "Required for every provider but sns.",
        when: evenIfWrong,
      })
      .refine(({ provider, secret }) => secret === undefined || !needsNoSecret(provider), {
        path: ["secret"],
        error: "sns does not use a secret: leave it out.",
        when: evenIfWrong,
      }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      provider: z.string().describe(meanings.provider),
      secret: z.null().describe(`${meanings.secret} Write-only: always null here.`),
    }),
  toApi: ({ enabled, provider }) => ({ enabled, provider, secret: null }),
  mapSecrets: mapSecret,
});
