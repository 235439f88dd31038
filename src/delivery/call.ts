import { clock } from "../../packages/model/src/clock.ts";
import type { Transport, SendFailure, Reply } from "./sender.ts";

export type { Transport, Reply };

/** How long a call may take in all, in milliseconds. */
export const CALL_MILLISECONDS = 15_000;

/** How much of a response is read unless a call asks for more, in bytes. */
const RESPONSE_BYTES = 65_536;

/** The longest `Retry-After` that is honoured, in milliseconds. */
const LONGEST_RETRY_AFTER = 3_600_000;

/** The error code for a call that was not made because the run has no calls left. */
export const OUT_OF_CALLS = "out_of_calls";

/** The failure of such a call. */
export const outOfCalls: SendFailure = {
  class: "retry",
  error: { code: OUT_OF_CALLS, status: null, msg: "This run had no calls left." },
};

/** True for a failure, such as a call without a response or a target that cannot be called. */
export const isFailure = (result: object): result is SendFailure => "class" in result && "error" in result;

/**
 * Calls a receiver: takes at most 15 seconds, reads 64 KiB of the response by default, and follows no redirects.
 *
 * @param isLeft called before each call; false ends the run
 */
export const callerWithin =
  (isLeft: () => boolean): Transport =>
  async (url, init, responseBytes = RESPONSE_BYTES) => {
    if (!isLeft()) return outOfCalls;
    try {
      const response = await fetch(url, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(CALL_MILLISECONDS),
      });
      const { status, headers } = response;
      return { status, headers, text: await startOf(response, responseBytes) };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      return {
        class: "retry",
        error: isTimeout
          ? {
              code: "timeout",
              status: null,
              msg: `The target did not respond within ${CALL_MILLISECONDS / 1000} seconds.`,
            }
          : {
              code: "network",
              status: null,
              msg: "The target could not be reached, or closed the connection.",
            },
      };
    }
  };

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

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds, an hour at most; undefined without a valid one. */
export function retryAfterIn(headers: Headers): number | undefined {
  const value = headers.get("Retry-After");
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER);
}

const CONFIGURATION = new Set([401, 403, 404]);
const RETRY = new Set([408, 425, 429]);
const BATCH = new Set([400, 413]);

/** The failure for an unsuccessful response, by its HTTP status. A target's own error codes take precedence. */
export function failureOfStatus(
  { status, headers }: Reply,
  words: Partial<Record<number, string>> = {},
): SendFailure {
  const error = {
    code: `http_${status}`,
    status,
    msg: words[status] ?? `The target responded with status ${status}.`,
  };
  if (BATCH.has(status)) return { class: "batch", error };
  if (CONFIGURATION.has(status) || (status >= 300 && status < 400)) return { class: "configuration", error };
  if (RETRY.has(status) || status >= 500) {
    const retryAfter = retryAfterIn(headers);
    return { class: "retry", error, ...(retryAfter !== undefined && { retryAfter }) };
  }
  return { class: "configuration", error };
}
