// What the evaluator sees of a request.
import { bytesOf, type HeaderLine, type Situation } from "../../../../packages/model/src/policy/evaluate.ts";
import { Matching } from "../../../../packages/model/src/policy/regex.ts";
import { addressOf, rangeOf } from "../../../../packages/model/src/values/cidrs.ts";
import type { OddRequest } from "./random.ts";

export { rangeOf };

export const linesOf = (headers: [string, string][]): HeaderLine[] =>
  headers.map(([name, value]) => [name.toLowerCase(), bytesOf(value).replaceAll(/^[ \t]+|[ \t]+$/g, "")]);

/** @param port the port that the request is sent to */
export function situationOf(request: OddRequest, port: number, more: [string, string][]): Situation {
  const peer = (ip: string, at: number) => ({ ip, networks: addressOf(ip)?.networks ?? [], port: at });
  return {
    method: request.method,
    target: bytesOf(request.target),
    headers: linesOf([["host", "x.example"], ...request.headers, ...more]),
    client: peer(request.source, 40_000),
    server: peer("127.0.0.1", port),
    tls: undefined,
    response: {
      status: request.response.status,
      headers: linesOf([["content-length", "0"], ...request.response.headers]),
    },
    now: Math.floor(Date.now() / 1000),
    vars: new Map(),
    kept: {},
    matching: new Matching(),
  };
}
