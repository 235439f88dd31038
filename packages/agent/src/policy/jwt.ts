import type { Action } from "../../../model/src/policy/base/program.ts";
import { returning } from "../base/own_responses.ts";
import { argument, quote } from "../base/quote.ts";
import type { KeyFile } from "./contract.ts";
import { escaped, regexArgument, when, type Writer } from "./writer.ts";

/** `aud` can be a string, or a list of which the first 10 are asked. */
const AUDIENCES = ["", ...Array.from({ length: 10 }, (_, index) => `[${index}]`)];
const TIME = String.raw`^[0-9]{1,12}\z`;

/** The lines that validate a token. */
export function jwtLines(
  action: Extract<Action, { do: "jwt" }>,
  writer: Writer,
  holds: string[],
  keysOf: (url: string) => readonly KeyFile[],
): void {
  const keys = action.key_urls.flatMap(keysOf);
  if (keys.length === 0) return writer.add(returning(503), holds);
  const reject = (...conditions: string[]): void => writer.add(returning(401), [...holds, ...conditions]);
  const name = argument(action.header);
  const line = `req.fhdr(${name},1)`;
  const prefix = `^(?i)${escaped(action.prefix)}`;
  const token = writer.holdOrEmpty(
    action.prefix === "" ? line : `${line},regsub(${regexArgument(prefix)},"")`,
    [`{ req.fhdr_cnt(${name}) eq 1 }`, when(line, "reg", prefix)],
  );
  const header = (query: string): string => `var(${token}),jwt_header_query('${query}')`;
  const claim = (query: string): string => `var(${token}),jwt_payload_query('${query}')`;
  const [algorithm, kid] = [writer.hold(header("$.alg")), writer.hold(header("$.kid"))];
  const isValid = writer.hold("int(0)");
  // HAProxy would accept a key of any kind, and an EC key verifies what an attacker signed as RS256.
  for (const each of action.algorithms)
    for (const key of keys.filter(({ algorithms }) => algorithms.some((one) => one === each)))
      writer.add(
        `set-var(${isValid}) ${quote(`var(${token}),jwt_verify(${argument(each)},${argument(key.file)})`)}`,
        [
          `{ var(${algorithm}) -m str ${each} }`,
          `{ var(${isValid}) -m int eq 0 }`,
          ...(key.kid === undefined ? [] : [when(`var(${kid})`, "str", key.kid)]),
        ],
      );
  reject(`!{ var(${isValid}) -m int eq 1 }`);
  reject(`!${when(claim("$.iss"), "str", ...action.issuers)}`);
  const isFor = writer.hold("bool(false)");
  for (const place of AUDIENCES)
    writer.add(`set-var(${isFor}) bool(true)`, [when(claim(`$.aud${place}`), "str", ...action.audiences)]);
  reject(`!{ var(${isFor}) -m bool }`);
  const now = writer.hold("date");
  const time = (query: string): string => writer.hold(`var(${token}),jwt_payload_query('${query}','int')`);
  const [expires, begins] = [time("$.exp"), time("$.nbf")];
  // `int` leaves strings as they are, and sub() of a negative number saturates upwards.
  reject(`!${when(`var(${expires})`, "reg", TIME)}`);
  reject(`{ var(${expires}),sub(${now}) -m int le 0 }`);
  reject(`{ ${quote(claim("$.nbf"))} -m found }`, `!${when(`var(${begins})`, "reg", TIME)}`);
  reject(`{ var(${begins}) -m found }`, `{ var(${begins}),sub(${now}) -m int gt 0 }`);
}
