import type { Json } from "../../json.ts";
import { patternOf } from "../base/patterns.ts";
import type { To } from "../base/program.ts";
import { aList, anInteger, aString } from "../base/reader.ts";
import { invalid, notEnforced } from "../base/wrong.ts";
import { hasExpression, templateOf } from "../expressions/templates.ts";
import {
  type ActionType,
  type ActionContext,
  CQ,
  CQS,
  headerName,
  headersOf,
  MOST_BODY,
  Q,
  QS,
  template,
} from "./context.ts";

const status = anInteger(200, 599);

/** The type of a body, if the policy does not set it. */
function typeOf(body: string): string {
  try {
    JSON.parse(body);
    return "application/json";
  } catch {
    return body.startsWith("<") ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
  }
}

const deny: ActionType = {
  phases: CQS,
  terminates: "always",
  compile({ config, scope }) {
    const accepted = scope.phase === "on_tcp_connect" ? [] : ["status_code"];
    const code = config.only(accepted).read("status_code", status, 403);
    return code === undefined ? undefined : { do: "deny", status: code };
  },
};

const closeConnection: ActionType = {
  phases: CQ,
  terminates: "always",
  compile({ config }) {
    config.only([]);
    return { do: "close" };
  },
};

const customResponse: ActionType = {
  phases: QS,
  terminates: "always",
  compile(context) {
    const { config } = context;
    config.only(["status_code", "body", "headers"]);
    const code = config.read("status_code", status, 200);
    const written = config.read("body", aString(MOST_BODY), "");
    const body = config.read("body", template(context), []);
    const headers = config.read("headers", headersOf(context, "response", 0), []);
    if (code === undefined || written === undefined || !body || !headers) return undefined;
    return context.findings.try(config.path, () => {
      if ((code === 204 || code === 304) && written !== "")
        notEnforced(`A response with the status ${code} has no body.`);
      const own = headers.find(([name]) => name === "content-type")?.[1];
      const [type = "", ...more] = own ?? [typeOf(written)];
      if (more.length > 0 || typeof type !== "string")
        return notEnforced("An expression in content-type is not enforced.");
      const others = headers.filter(([name]) => name !== "content-type");
      return { do: "respond", status: code, type, body, headers: others };
    });
  },
};

/** The new URL of a redirect or a rewrite. */
function toOf(context: ActionContext): To | undefined {
  const { config, scope, rangeOf } = context;
  if (!config.has("from"))
    return config.read("to", (value): To => ({ to: templateOf(urlText(value), scope, rangeOf) }));
  const from = config.read("from", aString());
  const to = config.read("to", urlText);
  if (from === undefined || to === undefined) return undefined;
  if (hasExpression(from) || hasExpression(to))
    return context.findings.try(config.path, () =>
      notEnforced('Expressions beside "from" are not enforced.'),
    );
  return config.read("from", (): To => {
    const { groups, hasBoundaries } = patternOf(from);
    if (hasBoundaries) notEnforced("Word boundaries in a pattern that replaces are not enforced.");
    const pattern = scope.addPattern(from, 0);
    const replacement = to
      .split(/\$([1-9])/)
      .map((part, i): string | number => (i % 2 === 1 ? Number(part) : part))
      .filter((part) => part !== "");
    for (const part of replacement)
      if (typeof part === "number" && part > groups) invalid(`The pattern has no group $${part}.`);
    return { pattern, replacement };
  });
}

/** What is before the first `${` of each part that ends with `}`, and all that is after the last `}`. */
const outsideExpressions = (text: string): string =>
  text
    .split("}")
    .map((part, i, { length }) => (i === length - 1 ? part : part.split("${", 1)[0]))
    .join("");

function urlText(value: Json): string {
  const text = aString(8192)(value);
  if (text === "") invalid("Must not be empty.");
  return /[\p{Cc} ]/u.test(outsideExpressions(text))
    ? invalid("A URL has no spaces and no control characters.")
    : text;
}

const redirect: ActionType = {
  phases: Q,
  terminates: "sometimes",
  compile(context) {
    const { config } = context;
    config.only(["from", "to", "status_code", "headers"]);
    const code = config.read("status_code", anInteger(300, 399), 302);
    const headers = config.read("headers", headersOf(context, "response", 0), []);
    const to = toOf(context);
    return code === undefined || !headers || !to ? undefined : { do: "redirect", status: code, to, headers };
  },
};

const urlRewrite: ActionType = {
  phases: Q,
  terminates: "never",
  compile(context) {
    context.config.only(["from", "to"]);
    const to = toOf(context);
    return to && { do: "rewrite", to };
  },
};

const addHeaders: ActionType = {
  phases: QS,
  terminates: "never",
  compile(context) {
    const headers = context.config.only(["headers"]).read("headers", headersOf(context, "added", 1));
    return headers && { do: "add_headers", headers };
  },
};

const removeHeaders: ActionType = {
  phases: QS,
  terminates: "never",
  compile({ config, findings }) {
    const names = config.only(["headers"]).read(
      "headers",
      aList(findings, (name: Json) => headerName(aString()(name), "removed"), 1, 10),
    );
    return names && { do: "remove_headers", names };
  },
};

/** Actions that respond, and those that change what is sent. */
export const responding: Record<string, ActionType> = {
  deny,
  "close-connection": closeConnection,
  "custom-response": customResponse,
  redirect,
  "url-rewrite": urlRewrite,
  "add-headers": addHeaders,
  "remove-headers": removeHeaders,
};
