import { gunzipSync } from "node:zlib";
import { type Answer, type Receiver, type Received, startReceiver } from "./http.ts";

/** The vendor's documented limits. */
const ENTRIES = 1_000;
const REQUEST_BYTES = 5 * 1_000_000;
const ENTRY_BYTES = 1_000_000;

/** The entries of a request. */
export const entriesOf = ({ body }: Received): Record<string, unknown>[] =>
  JSON.parse(gunzipSync(body).toString());

/** Accepts logs like Datadog does: 403 for another key, 413 for too many or too long entries, 400 for other bodies. */
export const startVendor = (key: string): Promise<Receiver> =>
  startReceiver((request): Answer => {
    if (request.method !== "POST" || request.path !== "/api/v2/logs") return { status: 404 };
    if (request.headers["dd-api-key"] !== key) return { status: 403 };
    if (request.headers["content-encoding"] !== "gzip") return { status: 400 };
    const plain = gunzipSync(request.body);
    const entries = entriesOf(request);
    const isTooLong = entries.some((entry) => Buffer.byteLength(JSON.stringify(entry)) > ENTRY_BYTES);
    if (plain.byteLength > REQUEST_BYTES || entries.length > ENTRIES || isTooLong) return { status: 413 };
    return { status: 202, body: "{}" };
  });
