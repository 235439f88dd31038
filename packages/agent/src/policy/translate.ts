import type { Phase, Program, Rule } from "../../../model/src/policy/base/program.ts";
import { returning } from "../base/own_responses.ts";
import { ActionLines, type Beside } from "./actions.ts";
import { Conditions } from "./conditions.ts";
import type { Given, Translated } from "./contract.ts";
import { ALWAYS, type Ruleset, Writer } from "./writer.ts";

/*
 * A program as lines of HAProxy's configuration.
 */

/** Translates a program. */
export function translate(program: Program, given: Given): Translated {
  const names = { used: 0 };
  const writer = (ruleset: Ruleset): Writer => new Writer(ruleset, given.prefix, names);
  const connect = writer("tcp-request content");
  const request = writer("http-request");
  const requestEnd = writer("http-request");
  const response = writer("http-response");
  const beside: Beside = { options: [], tables: [], files: new Map() };
  const phases: [Phase, Writer, Writer][] = [
    ["on_tcp_connect", connect, connect],
    ["on_http_request", request, request],
    ["on_http_response", response, requestEnd],
  ];
  for (const [phase, own, ofRequest] of phases)
    for (const rule of program.rules[phase]) addRule(rule, own, ofRequest, new ActionLines(given, beside));
  return {
    connect: connect.lines,
    request: request.lines,
    requestEnd: requestEnd.lines,
    response: response.lines,
    ...beside,
  };
}

function addRule({ expressions, actions }: Rule, writer: Writer, request: Writer, lines: ActionLines): void {
  let holds: string[] = [];
  if (expressions.length > 0) {
    const both = new Conditions(writer, request).all(expressions);
    if (both.yes !== ALWAYS || both.no.length > 0) {
      const { yes, no } = writer.keep(both);
      const [isKnown = ""] = no[0] ?? [];
      // Neither true nor false: an error, which refuses the request.
      writer.add(writer.rule.startsWith("tcp") ? "reject" : returning(500), [`!${isKnown}`]);
      holds = yes[0] ?? [];
    }
  }
  // An action sees what the one before it has changed.
  for (const action of actions) lines.add(action, writer, new Conditions(writer, request), holds);
}
