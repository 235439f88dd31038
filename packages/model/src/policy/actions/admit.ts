import type { Json } from "../../json.ts";
import type { TextPart } from "../base/program.ts";
import { aBoolean, aList, anInteger, aString, PolicyFields, pointer } from "../base/reader.ts";
import { invalid, notEnforced, Wrong } from "../base/wrong.ts";
import { compileValue } from "../expressions/check.ts";
import { partOf } from "../expressions/templates.ts";
import { type ActionType, constantText, type ActionContext, CQ, headerName, Q } from "./context.ts";

const MOST_RANGES = 200;
const MOST_VALUES = 10;

const restrictIps: ActionType = {
  phases: CQ,
  terminates: "sometimes",
  compile({ config, findings, rangeOf, scope }) {
    config.only(["allow", "deny", "ip_policies", "enforce"]);
    const range = (value: Json): string =>
      rangeOf(aString()(value)) ?? invalid("Expected a range in CIDR notation, such as 192.0.2.0/24.");
    const allow = config.read("allow", aList(findings, range, 0, MOST_RANGES), []);
    const deny = config.read("deny", aList(findings, range, 0, MOST_RANGES), []);
    if (config.has("ip_policies"))
      findings.try(pointer(config.path, "ip_policies"), () =>
        notEnforced(
          "IP policies are not enforced here: use the module ip_restriction, or list their ranges.",
        ),
      );
    const enforce = config.read("enforce", aBoolean, true);
    scope.kept.add("restrict_ips.action");
    if (!allow || !deny || enforce === undefined) return undefined;
    return { do: "restrict_ips", allow, deny, enforce };
  },
};

const UNITS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** `90s`, `1h30m`: seconds. @throws Wrong */
function seconds(value: Json): number {
  const text = aString(64)(value);
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text))
    return invalid("Expected a duration such as 60s or 1h30m.");
  let sum = 0;
  for (const [, number, unit = ""] of text.matchAll(/([\d.]+)(ms|s|m|h)/g))
    sum += Number(number) * (UNITS[unit] ?? 0);
  if (sum < 60 || sum > 86_400 || sum % 10 !== 0)
    return notEnforced("Only windows from 60s to 24h, by 10s, are enforced.");
  return sum;
}

/** One part of a bucket's key. Of a list, it is the first value. */
function keyPart(text: string, { scope, rangeOf }: ActionContext): TextPart {
  const value = compileValue(text, scope, rangeOf);
  if (value.type === "lines") return { text: { from: "line", of: value.of, index: 0 } };
  if (value.type === "first") return { text: value.text };
  if (value.type === "cookie" || value.type === "cookies")
    return { text: { from: "cookie", name: value.name } };
  return partOf(value, 0);
}

const rateLimit: ActionType = {
  phases: Q,
  terminates: "sometimes",
  compile(context) {
    const { config, findings, scope } = context;
    config.only(["name", "algorithm", "capacity", "rate", "bucket_key", "enforce"]);
    const name = config.read("name", (value) => {
      const text = constantText(1023)(value);
      return text === "" ? invalid("Must not be empty.") : text;
    });
    const algorithm = config.read(
      "algorithm",
      (value) => (value === "sliding_window" ? value : notEnforced('Only "sliding_window" is enforced.')),
      "sliding_window",
    );
    const capacity = config.read("capacity", anInteger(1, 2_000_000_000));
    const rate = config.read("rate", seconds);
    const key = config.read(
      "bucket_key",
      aList(findings, (value) => keyPart(aString()(value), context), 1, MOST_VALUES),
    );
    const enforce = config.read("enforce", aBoolean, true);
    scope.kept.add("rate_limit.limited");
    if (name === undefined || algorithm === undefined || capacity === undefined || rate === undefined)
      return undefined;
    return key && enforce !== undefined
      ? { do: "rate_limit", name, capacity, seconds: rate, key, enforce }
      : undefined;
  },
};

function credential(value: Json): { user: string; sha256: string } {
  const text = constantText(1024)(value);
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (!text.includes(":")) return invalid("Expected user:sha256:HEX.");
  const sha256 = /^sha256:([0-9a-fA-F]{64})$/.exec(password)?.[1];
  if (sha256 === undefined)
    throw new Wrong(
      "not_enforced",
      "A password is readable for everybody who can read the policy. Write user:sha256:HEX, the SHA-256 of a long random password.",
      undefined,
      "credentials_readable",
    );
  if (!/^[!-9;-~]{1,256}$/.test(user))
    return notEnforced("Only ASCII user names without spaces are enforced.");
  return { user, sha256: sha256.toLowerCase() };
}

const asciiText =
  (most: number, what: string) =>
  (value: Json): string => {
    const text = constantText(most)(value);
    return /^[ -~]*$/.test(text) ? text : notEnforced(`Only ASCII is enforced in a ${what}.`);
  };

const basicAuth: ActionType = {
  phases: Q,
  terminates: "sometimes",
  compile({ config, findings, scope }) {
    config.only(["credentials", "realm", "enforce"]);
    const credentials = config.read("credentials", aList(findings, credential, 1, MOST_VALUES));
    const realm = config.read("realm", asciiText(128, "realm"), "edge");
    const enforce = config.read("enforce", aBoolean, true);
    scope.kept.add("basic_auth.credentials.authorized");
    if (!credentials || realm === undefined || enforce === undefined) return undefined;
    return { do: "basic_auth", credentials, realm, enforce };
  },
};

/** `{allow_list: [{value}, …]}` */
function allowList(context: ActionContext, name: string): string[] | undefined {
  const { config, findings } = context;
  const one = (value: Json, path: string): string => {
    const text = new PolicyFields(value, path, findings).only(["value"]).read("value", constantText(512));
    return text ?? notEnforced("This value is not enforced.");
  };
  return config.read(name, (value, path) => {
    const list = new PolicyFields(value, path, findings).only(["allow_list"]);
    return list.read("allow_list", aList(findings, one, 1, MOST_VALUES));
  });
}

/** The header that has the token: its name in lower case, and what is before the token. */
function tokenHeader({ config, findings }: ActionContext): { header: string; prefix: string } | undefined {
  return config.read("http", (http, path) =>
    new PolicyFields(http, path, findings).only(["tokens"]).read("tokens", (tokens, at) => {
      const list = aList(findings, (token, place) => ({ token, place }), 1, 1)(tokens, at);
      const [only] = list;
      if (!only) return notEnforced("Exactly one token is enforced.");
      const fields = new PolicyFields(only.token, only.place, findings).only([
        "type",
        "method",
        "name",
        "prefix",
      ]);
      fields.read(
        "type",
        (type) => (type === "jwt" ? type : notEnforced('Only the type "jwt" is enforced.')),
        "jwt",
      );
      const method = fields.read("method", (value) =>
        value === "header" ? value : notEnforced("Only tokens in headers are enforced."),
      );
      const header = fields.read("name", (name) => headerName(aString()(name), "response"));
      const prefix = fields.read("prefix", asciiText(64, "prefix"), "");
      return method === undefined || header === undefined || prefix === undefined
        ? undefined
        : { header, prefix };
    }),
  );
}

function algorithm(value: Json): string {
  const name = aString(16)(value);
  if (/^(?:RS|ES)(?:256|384|512)$/.test(name)) return name;
  return /^(?:PS|HS)(?:256|384|512)$|^EdDSA$/.test(name)
    ? notEnforced(`The algorithm ${name} is not enforced.`)
    : invalid(`Unknown algorithm ${JSON.stringify(name)}.`);
}

function keyUrl(value: Json): string {
  const text = constantText(1024)(value);
  return /^https:\/\/[^\s\p{Cc}"'\\]+$/u.test(text) && URL.canParse(text)
    ? text
    : notEnforced("Only https URLs are enforced.");
}

/** `{allowed_algorithms, keys: [{sources: {additional_jkus}}]}` */
function signatures({
  config,
  findings,
}: ActionContext): { algorithms: string[]; urls: string[] } | undefined {
  const source = (value: Json, path: string): string[] =>
    new PolicyFields(value, path, findings)
      .only(["additional_jkus"])
      .read("additional_jkus", aList(findings, keyUrl, 1, MOST_VALUES)) ?? [];
  const key = (value: Json, path: string): string[] =>
    new PolicyFields(value, path, findings)
      .only(["sources"])
      .read("sources", (sources, at) =>
        Array.isArray(sources)
          ? aList(findings, source, 1, MOST_VALUES)(sources, at).flat()
          : source(sources, at),
      ) ?? [];
  return config.read("jws", (jws, path) => {
    const fields = new PolicyFields(jws, path, findings).only(["allowed_algorithms", "keys"]);
    const algorithms = fields.read("allowed_algorithms", aList(findings, algorithm, 1, 6));
    const urls = fields.read("keys", (keys, at) => {
      const all = [...new Set(aList(findings, key, 1, MOST_VALUES)(keys, at).flat())];
      return all.length > MOST_VALUES ? notEnforced(`More than ${MOST_VALUES} URLs are not enforced.`) : all;
    });
    return algorithms && urls && { algorithms: [...new Set(algorithms)], urls };
  });
}

const jwtValidation: ActionType = {
  phases: Q,
  terminates: "sometimes",
  compile(context) {
    context.config.only(["issuer", "audience", "http", "jws"]);
    const issuers = allowList(context, "issuer");
    const audiences = allowList(context, "audience");
    const token = tokenHeader(context);
    const jws = signatures(context);
    if (!issuers || !audiences || !token || !jws) return undefined;
    return { do: "jwt", ...token, issuers, audiences, algorithms: jws.algorithms, key_urls: jws.urls };
  },
};

/** Actions that decide who is let in. */
export const admitting: Record<string, ActionType> = {
  "restrict-ips": restrictIps,
  "rate-limit": rateLimit,
  "basic-auth": basicAuth,
  "jwt-validation": jwtValidation,
};
