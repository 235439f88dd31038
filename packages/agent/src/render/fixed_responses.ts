import { hash } from "node:crypto";
import type { Backend } from "../../../model/src/traffic/snapshot.ts";
import { quote, formatted } from "../base/quote.ts";
import { settableHeaders } from "./headers.ts";
import type { Output } from "./output.ts";

/** The largest body in bytes. HAProxy holds a fixed response in one buffer, so a larger body would enlarge every connection's buffers. */
const LARGEST_BODY = 65_536;
/** Statuses without a body (RFC 9110 §15.3.5 and §15.4.5). HAProxy rejects a configuration that gives them one. */
const WITHOUT_BODY = new Set([204, 304]);

/**
 * Renders a fixed response as an HTTP listener on an internal socket, so that it can be used like any server. Returns the socket's
 * path; undefined if HAProxy cannot return this response.
 */
export function fixedResponse(
  id: string,
  { status_code, headers, body }: Extract<Backend, { kind: "http_response" }>,
  output: Output,
): string | undefined {
  const bytes = Buffer.byteLength(body);
  if (status_code < 200 || status_code > 599) {
    return output.problem(
      id,
      "status_refused",
      `The response is not served: ${status_code} is not a final status. Use a status from 200 to 599.`,
    );
  }
  if (bytes > LARGEST_BODY) {
    return output.problem(
      id,
      "body_too_large",
      `The response is not served: its body has ${bytes} bytes, but HAProxy supports at most ${LARGEST_BODY} in a fixed response. Shorten it, or serve it from an upstream.`,
    );
  }
  const settable = settableHeaders(id, headers, output);
  if (!settable) return undefined;
  const hasBody = bytes > 0 && !WITHOUT_BODY.has(status_code);
  if (bytes > 0 && !hasBody) {
    output.problem(
      id,
      "body_left_out",
      `The response is served without its body: a response with the status ${status_code} cannot have one. Use another status, or remove the body.`,
    );
  }
  if (hasBody) output.add({ is: "body", bytes });
  const payload = hasBody
    ? ` content-type ${quote(DEFAULT_TYPE)} file ${quote(output.file(`bodies/${id}`, body))}`
    : "";
  // After a reload, the new worker has the socket. An old one must not get a response of another version from it.
  const content = hash("sha256", JSON.stringify([status_code, headers, body]));
  const socket = output.socket(`${id}.${content.slice(0, 8)}`);
  output.section("frontend", id, [
    "mode http",
    "no log",
    `bind ${quote(`unix@${socket}`)} accept-proxy`,
    // One rule per header: the words of a line are limited, and `return` leaves out empty values.
    ...settable.map(([name, value]) => `http-after-response set-header ${quote(name)} ${formatted(value)}`),
    `http-request return status ${quote(String(status_code))}${payload}`,
  ]);
  return socket;
}

/** HAProxy requires a type for a body. The response's headers replace it. */
const DEFAULT_TYPE = "text/plain; charset=utf-8";
