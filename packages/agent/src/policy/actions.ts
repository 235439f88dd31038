import { hash } from "node:crypto";
import type { Action, HeaderParts, To } from "../../../model/src/policy/base/program.ts";
import { removal } from "../base/client_headers.ts";
import { returning } from "../base/own_responses.ts";
import { argument, quote } from "../base/quote.ts";
import { saying, SAYING_NOTHING } from "../base/rules.ts";
import type { Conditions } from "./conditions.ts";
import type { Given, Translated } from "./contract.ts";
import { fileOf, formatOf, sampleOf } from "./formats.ts";
import { jwtLines } from "./jwt.ts";
import { resultVariable, variable } from "./texts.ts";
import { limited, regexArgument, when, type Writer } from "./writer.ts";

/** The size of a table. HAProxy drops the least recently used counters. */
const ROWS = "500k";

type Of<Name extends Action["do"]> = Extract<Action, { do: Name }>;

/** What actions need beside lines. */
export type Beside = Pick<Translated, "options" | "tables" | "files">;

/** Translates actions. */
export class ActionLines {
  readonly #given: Given;
  readonly #beside: Beside;

  constructor(given: Given, beside: Beside) {
    this.#given = given;
    this.#beside = beside;
  }

  /** Adds the lines of an action. @param holds conditions that hold where its rule does */
  add(action: Action, writer: Writer, conditions: Conditions, holds: string[]): void {
    switch (action.do) {
      case "deny":
        // `deny_status` only knows some statuses.
        return writer.add(writer.rule.startsWith("tcp") ? "reject" : returning(action.status), holds);
      case "close":
        return writer.add("reject", holds);
      case "respond":
        return this.#respond(action, writer, conditions, holds);
      case "redirect": {
        const { before, after } = this.#url(action.to, writer, conditions, holds);
        const headers = headerArguments(action.headers, conditions, writer);
        const isChanged = [...holds, `!{ var(${after}),strcmp(${before}) eq 0 }`];
        writer.add(SAYING_NOTHING, isChanged);
        return writer.add(
          `return status ${action.status} hdr location %[var(${after})]${headers}`,
          isChanged,
        );
      }
      case "rewrite":
        return this.#rewrite(action, writer, conditions, holds);
      case "add_headers":
        for (const [name, parts] of action.headers) {
          const verb = name === "host" ? "set-header" : "add-header";
          writer.add(`${verb} ${quote(name)} ${formatOf(parts, conditions, writer)}`, holds);
          // The value of one header can refer to another that was added before.
          conditions.forget();
        }
        return;
      case "remove_headers":
        for (const name of action.names)
          writer.add(writer.rule === "http-request" ? removal(name) : `del-header ${quote(name)}`, holds);
        return;
      case "set_vars":
        return setVars(action, writer, conditions, holds);
      case "restrict_ips":
        return restrictIps(action, writer, conditions, holds);
      case "rate_limit":
        return this.#rateLimit(action, writer, conditions, holds);
      case "basic_auth":
        return basicAuth(action, writer, holds);
      case "jwt":
        return jwtLines(action, writer, holds, this.#given.keysOf);
      case "compress":
        if (action.algorithms.length > 0)
          this.#beside.options.push(`compression algo ${action.algorithms.join(" ")}`);
        return;
      case "log":
    }
  }

  #respond(
    { status, type, body, headers }: Of<"respond">,
    writer: Writer,
    conditions: Conditions,
    holds: string[],
  ): void {
    let payload = "";
    if (body.length > 0) {
      // A file keeps line breaks, which a format in the configuration would encode.
      const isConstant = body.every((part) => typeof part === "string");
      const content = isConstant ? body.join("") : fileOf(body, conditions, writer);
      const file = `body_${this.#beside.files.size}`;
      this.#beside.files.set(file, content);
      const path = quote(this.#given.pathOf(file));
      payload = ` content-type ${quote(type)} ${isConstant ? "file" : "lf-file"} ${path}`;
    }
    const all = headerArguments(headers, conditions, writer);
    writer.add(SAYING_NOTHING, holds);
    writer.add(`return status ${status}${payload}${all}`, holds);
  }

  /** Keeps the URL and the new one in variables. */
  #url(to: To, writer: Writer, conditions: Conditions, holds: string[]): { before: string; after: string } {
    const host = writer.holdOrEmpty("req.fhdr(host,1)", ["{ req.fhdr_cnt(host) gt 0 }"]);
    const target = writer.hold("pathq");
    const before = writer.hold(`str(https://),concat(,${host}),concat(,${target})`);
    if ("to" in to) {
      const after = writer.name();
      writer.add(`set-var-fmt(${after}) ${formatOf(to.to, conditions, writer)}`);
      return { before, after };
    }
    const replacement = to.replacement
      .map((part) => (typeof part === "number" ? `\\${part}` : part.replaceAll("\\", "\\\\")))
      .join("");
    const after = writer.hold(
      `var(${before}),regsub(${regexArgument(limited(to.pattern))},${regexArgument(replacement)},g)`,
    );
    // If PCRE gives up, nothing is replaced. Then nothing proves that the pattern does not match.
    const proof = writer.hold(
      `var(${before}),regsub(${regexArgument(`${limited(to.pattern, 2000)}|\\z`)},${regexArgument("\n")})`,
    );
    writer.add(returning(500), [
      ...holds,
      `{ var(${after}),strcmp(${before}) eq 0 }`,
      `{ var(${proof}),strcmp(${before}) eq 0 }`,
    ]);
    return { before, after };
  }

  #rewrite({ to }: Of<"rewrite">, writer: Writer, conditions: Conditions, holds: string[]): void {
    const { after } = this.#url(to, writer, conditions, holds);
    const target = writer.hold(`var(${after}),regsub(${regexArgument("^[a-z]+://[^/?#]*")},"")`);
    // No path, or something that would end the request line.
    const isTarget = when(`var(${target})`, "reg", String.raw`^/[^\x00-\x20\x7f#]*\z`);
    writer.add(returning(500), [...holds, `!${isTarget}`]);
    writer.add(`set-pathq %[var(${target})]`, holds);
  }

  #rateLimit(
    { name, capacity, seconds, key, enforce }: Of<"rate_limit">,
    writer: Writer,
    conditions: Conditions,
    holds: string[],
  ): void {
    const counter = this.#beside.tables.length;
    const table = `rate_${seconds}`;
    // All limits of a window share a table.
    const kind = hash("sha256", JSON.stringify([name, key])).slice(0, 16);
    const others = this.#beside.tables.filter((other) => other.name === table && other.kind === kind);
    const spec = `type binary len 32 size ${ROWS} expire ${seconds * 2}s store gpc0,gpc0_rate(${seconds}s)`;
    this.#beside.tables.push({ name: table, spec, kind });
    let all = writer.hold(`${this.#given.owner},concat(:${kind}.${others.length}:)`);
    for (const part of key) {
      const own =
        typeof part === "string"
          ? writer.hold(`str(${argument(part)})`)
          : writer.holdOrEmpty(`${sampleOf(part, conditions, writer)},concat()`, []);
      const size = writer.hold(`var(${own}),length`);
      // Each part has its length, so no two keys are the same.
      all = writer.hold(`var(${all}),concat(,${size},:),concat(,${own})`);
    }
    const isOver = `{ sc${counter}_gpc0_rate ge ${capacity} }`;
    writer.add(`track-sc${counter} ${quote(`var(${all}),sha2(256)`)} table ${table}`, holds);
    writer.add(`set-var(${resultVariable(writer, "limited")}) bool(false)`, holds);
    writer.add(`set-var(${resultVariable(writer, "limited")}) bool(true)`, [...holds, isOver]);
    if (enforce) {
      writer.add(saying("rate_limit"), [...holds, isOver]);
      writer.add(`${returning(429)} hdr retry-after ${seconds}`, [...holds, isOver]);
    }
    // Only what is let through counts.
    writer.add(`sc-inc-gpc0(${counter})`, holds);
  }
}

const headerArguments = (headers: HeaderParts, conditions: Conditions, writer: Writer): string =>
  headers.map(([name, parts]) => ` hdr ${quote(name)} ${formatOf(parts, conditions, writer)}`).join("");

function setVars({ vars }: Of<"set_vars">, writer: Writer, conditions: Conditions, holds: string[]): void {
  for (const { name, value } of vars) {
    const target = variable(writer, name);
    if ("int" in value) writer.add(`set-var(${target}) int(${value.int})`, holds);
    else if ("bool" in value) writer.add(`set-var(${target}) bool(${value.bool})`, holds);
    else if (value.text.length === 0) writer.add(`set-var(${target}) str()`, holds);
    else writer.add(`set-var-fmt(${target}) ${formatOf(value.text, conditions, writer)}`, holds);
    conditions.forget();
  }
}

function restrictIps(
  { allow, deny, enforce }: Of<"restrict_ips">,
  writer: Writer,
  conditions: Conditions,
  holds: string[],
): void {
  const [allowed, denied] = [
    conditions.addresses("client_ip", allow),
    conditions.addresses("client_ip", deny),
  ];
  const result = resultVariable(writer, "restrict_ips");
  writer.add(`set-var(${result}) str(deny)`, holds);
  for (const yes of allowed.yes)
    for (const no of denied.no) writer.add(`set-var(${result}) str(allow)`, [...holds, ...yes, ...no]);
  if (enforce)
    writer.add(writer.rule.startsWith("tcp") ? "reject" : returning(403), [
      ...holds,
      `{ var(${result}) -m str deny }`,
    ]);
}

function basicAuth({ credentials, realm, enforce }: Of<"basic_auth">, writer: Writer, holds: string[]): void {
  const line = "req.fhdr(authorization,1)";
  const pattern = String.raw`^(?i)basic +((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?) *\z`;
  const isUsable = ["{ req.fhdr_cnt(authorization) eq 1 }", when(line, "reg", pattern)];
  const decoded = writer.hold(
    `${line},regsub(${regexArgument(pattern)},${regexArgument("\\1")}),b64dec`,
    isUsable,
  );
  const user = writer.hold(
    `var(${decoded}),regsub(${regexArgument("(?s)^([^:]*):.*\\z")},${regexArgument("\\1")})`,
    [`{ var(${decoded}) -m sub : }`],
  );
  const digest = writer.hold(`var(${decoded}),regsub(${regexArgument("^[^:]*:")},""),sha2(256),hex,lower`, [
    `{ var(${decoded}) -m sub : }`,
  ]);
  const result = resultVariable(writer, "authorized");
  writer.add(`set-var(${result}) bool(false)`, holds);
  for (const { user: name, sha256 } of credentials)
    writer.add(`set-var(${result}) bool(true)`, [
      ...holds,
      when(`var(${user})`, "str", name),
      `{ var(${digest}) -m str ${sha256} }`,
    ]);
  const challenge = `Basic realm="${realm.replaceAll(/["\\]/g, String.raw`\$&`)}"`.replaceAll("%", "%%");
  if (enforce)
    writer.add(`${returning(401)} hdr www-authenticate ${quote(challenge)}`, [
      ...holds,
      `!{ var(${result}) -m bool }`,
    ]);
}
