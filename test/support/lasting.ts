import type { Json } from "./json.ts";

/**
 * An object, as its creation or change shows it, in the way later responses do: without a key's token and a webhook's
 * secret, which are shown once.
 */
export function lasting(object: Json): Json {
  const { target } = object;
  return {
    ...object,
    ...("token" in object && { token: null }),
    ...(target?.webhook && { target: { ...target, webhook: { ...target.webhook, secret: null } } }),
  };
}
