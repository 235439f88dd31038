import type { Operation } from "../operations.ts";

/*
 * Secrets in the bodies of operations: those of webhook verification, and those of the targets of event destinations.
 */

/** Fields of a target that are secrets, at any depth. */
const TARGET_SECRETS = new Set(["cloud_secret_access_key", "api_key", "client_secret", "secret"]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value without the fields `secrets`, at any depth. */
function withoutFields(value: unknown, secrets: Set<string>): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      secrets.has(name) ? [] : [[name, withoutFields(field, secrets)]],
    ),
  );
}

const SECRET = new Set(["secret"]);

/** An operation without its secrets. */
export function withoutSecrets(operation: Operation): Operation {
  const { body } = operation;
  if (body === undefined) return operation;
  // Only a webhook verification has a secret of its own.
  const { secret: _, target, webhook_verification, ...rest } = body;
  return {
    ...operation,
    body: {
      ...rest,
      ...(target !== undefined && { target: withoutFields(target, TARGET_SECRETS) }),
      ...(webhook_verification !== undefined && {
        webhook_verification: withoutFields(webhook_verification, SECRET),
      }),
    },
  };
}
