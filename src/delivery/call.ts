import { clock } from "../../packages/model/src/clock.ts";
import { type Reply, type SendFailure, sendFailure, type Transport } from "./sender.ts";

/** How long a call may take in all, in milliseconds. */
export const CALL_MILLISECONDS = 15_000;

/** How much of a response is read unless a call asks for more, in bytes. */
const RESPONSE_BYTES = 65_536;

/** The longest `Retry-After` that is honoured, in milliseconds. */
const LONGEST_RETRY_AFTER = 3_600_000;

/** The failure of a call that was not made because the run has no calls left. */
export const outOfCalls = sendFailure("retry", "out_of_calls", "This run had no calls left.");

/**
 * Calls a receiver: takes at most 15 seconds by default, reads 64 KiB of the response by default, and follows no redirects.
 *
 * @param isLeft called before each call; false ends the run
 */
export const callerWithin =
  (isLeft: () => boolean, milliseconds = CALL_MILLISECONDS): Transport =>
  async (url, init, responseBytes = RESPONSE_BYTES) => {
    if (!isLeft()) return outOfCalls;
    try {
      const response = await fetch(url, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(milliseconds),
      });
      const { status, headers } = response;
      return { status, headers, text: await startOf(response, responseBytes) };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      return isTimeout
        ? sendFailure("retry", "timeout", `The target did not respond within ${milliseconds / 1000} seconds.`)
        : sendFailure("retry", "network", "The target could not be reached, or closed the connection.");
    }
  };

/** Bytes, compressed as gzip (RFC 1952). */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** The start of a response's body as a string; the rest is cancelled. */
async function startOf({ body }: Response, bytes: number): Promise<string> {
  if (!body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let left = bytes;
  const reader = body.getReader();
  while (left > 0) {
    const chunk: { value?: unknown } = await reader.read();
    const { value } = chunk;
    // No more bytes: the end.
    if (!(value instanceof Uint8Array)) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
  }
  await reader.cancel();
  return text;
}

/** The failure with the response's `Retry-After` (RFC 9110 §10.2.3), an hour at most, if there is a valid one. */
export function withRetryAfter(failure: SendFailure, headers: Headers): SendFailure {
  const value = headers.get("Retry-After");
  if (value === null) return failure;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now();
  if (Number.isNaN(milliseconds)) return failure;
  return { ...failure, retryAfter: Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER) };
}

const RETRY = new Set([408, 425, 429]);
const BATCH = new Set([400, 413]);

/** The failure for an unsuccessful response, by its HTTP status. A target's own error codes take precedence. */
export function failureOfStatus(
  { status, headers }: Reply,
  words: Partial<Record<number, string>> = {},
): SendFailure {
  const isBusy = RETRY.has(status) || status >= 500;
  const kind = BATCH.has(status) ? "batch" : isBusy ? "retry" : "configuration";
  const msg = words[status] ?? `The target responded with status ${status}.`;
  const failure = sendFailure(kind, `http_${status}`, msg, status);
  return isBusy ? withRetryAfter(failure, headers) : failure;
}
