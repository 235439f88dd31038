import type { Route } from "../../../model/src/traffic/snapshot.ts";
import { hasSpellings, removal } from "../base/client_headers.ts";
import { formatted, quote } from "../base/quote.ts";
import type { Output } from "./output.ts";

/** The bytes that HAProxy reserves in a buffer for headers that modules add. */
export const SPACE_FOR_HEADERS = 10_240;
/** The most bytes of names and values that one module can set. */
const LARGEST_HEADERS = 8192;

/** Headers that HAProxy controls: they frame a message or belong to one connection (RFC 9110 §7.6.1, RFC 9112 §6). */
const FRAMING = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000A-\u001F\u007F]/;

/** The headers that HAProxy can set, in order; undefined if they are too large. */
export function settableHeaders(
  id: string,
  headers: Record<string, string> | null,
  output: Output,
): [string, string][] | undefined {
  const settable = Object.entries(headers ?? {}).filter(([name]) => isSettable(id, name, output));
  const odd = settable.find(([, value]) => CONTROL.test(value));
  if (odd) {
    output.problem(
      id,
      "header_escaped",
      `Served, but control characters in the value of ${odd[0]} are sent as %xx: HTTP does not allow them, except tabs. Remove them.`,
    );
  }
  const bytes = settable.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value) + 4, 0);
  if (bytes <= LARGEST_HEADERS) return settable;
  return output.problem(
    id,
    "headers_too_large",
    `Not served: the headers have ${bytes} bytes, but HAProxy can set at most ${LARGEST_HEADERS}. Shorten them.`,
  );
}

function isSettable(id: string, name: string, output: Output): boolean {
  if (!FRAMING.has(name.toLowerCase())) return true;
  output.problem(
    id,
    "header_left_out",
    `Served, but the header ${name} is neither set nor removed: it controls connections or message framing, which the proxy manages itself. Remove it from the configuration.`,
  );
  return false;
}

/** The rules that remove headers, then set headers in place of existing ones; undefined if they are too large. */
export function headerLines(
  routeId: string,
  { request_headers, response_headers }: Pick<Route, "request_headers" | "response_headers">,
  output: Output,
): string[] | undefined {
  const lines: string[] = [];
  for (const [rule, module] of [
    ["http-request", request_headers],
    ["http-response", response_headers],
  ] as const) {
    const added = settableHeaders(routeId, module?.add ?? null, output);
    if (!added) return undefined;
    const removed = (module?.remove ?? []).filter((name) => isSettable(routeId, name, output));
    const removing = (name: string): string =>
      `${rule} ${rule === "http-request" ? removal(name) : `del-header ${quote(name)}`}`;
    // A header that is set replaces the client's, also with an underscore in its name.
    const replaced = rule === "http-request" ? added.map(([name]) => name).filter(hasSpellings) : [];
    lines.push(
      ...[...removed, ...replaced].map(removing),
      ...added.map(([name, value]) => `${rule} set-header ${quote(name)} ${formatted(value)}`),
    );
  }
  return lines;
}
