import { Webhook } from "standardwebhooks";
import type { Received } from "./http.ts";

/** The event in a request. @throws if the official library rejects its signature */
export function verified(secret: string, { headers, body }: Received): unknown {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(texts));
}
