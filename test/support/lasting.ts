import type { Json } from "./json.ts";

/**
 * An object from the response to its creation or change, in the form that later responses show: without a key's token
 * and a webhook's secret, which are shown only once.
 */
export function lasting(object: Json): Json {
  const { target } = object;
  return {
    ...object,
    ...("token" in object && { token: null }),
    ...(target?.webhook && { target: { ...target, webhook: { ...target.webhook, secret: null } } }),
  };
}
