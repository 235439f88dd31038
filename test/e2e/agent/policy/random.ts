// Random expressions of traffic policies, and odd requests.
import type { Random } from "../../support/random.ts";

/** A request, in strings as a person writes them. */
export interface OddRequest {
  method: string;
  target: string;
  headers: [string, string][];
  source: string;
  body: string;
  response: { status: number; headers: [string, string][] };
}

/** An expression, and the same for an evaluator of CEL that knows functions instead of maps. */
export interface Expression {
  text: string;
  oracle: string;
}

const HEADERS = ["x-a", "x-b", "user-agent", "accept"];
const VALUES = [
  "",
  `${"a".repeat(30)}!`,
  "aaaa",
  "a",
  "A",
  "ab",
  "a,b",
  "a, b",
  " a",
  'x"y',
  "it's",
  "100%",
  "$HOME",
  "é",
  "a\\b",
  "{}",
  "curl/8.0",
  "Mozilla/5.0 (X)",
  "#1",
  "%41",
  "a;b",
];
const PATHS = [
  "/",
  "/api",
  "/api/v1",
  "/API",
  "/%61pi",
  "/a%20b",
  "/a+b",
  "/%zz",
  "/%",
  "/a//b",
  "/x/../api",
  "/%2Fapi",
  "/caf%C3%A9",
  "/a%00b",
  "/a1%0A",
  "/a%0b1",
  "/a;p=1",
];
const QUERIES = [
  "",
  "q=1",
  "q=",
  "q",
  "Q=1",
  "q=1&q=2",
  "%71=1",
  "q=a+b",
  "q=a%20b",
  "q=%zz",
  "q=%00",
  "x=%00&q=1",
  "q=1;q=2",
  "r=1&q=%41&q=2",
  "x=1&q=1",
  "q=1;r=2",
  "a=q=1",
  "qq=1",
  "q%20=1",
  "&q=1",
  "q==1",
  "q=?q=2",
];
const COOKIES = [
  "s=1; s=",
  "s=a b; t=1",
  "xs=1",
  "s =2 ;t=3",
  "t=1;s=",
  "",
  "s=1",
  "s=1; s=2",
  "S=1",
  "s=",
  "t=s=1; s=1",
  's="1"',
  "x; s=1",
  "s=1,t=2",
  " s = 1",
];
const TYPES = ["text/html", "Text/HTML; charset=utf-8", "application/json ;x", "", ";"];
const SOURCES = ["127.0.0.1", "127.0.0.2", "127.1.2.3"];
const METHODS = ["GET", "POST", "PUT", "get", "DELETE", "PATCH", "FOO"];
const PATTERNS = [
  "^/api",
  "a.b",
  "(?i)CURL",
  "^$",
  "[0-9]+$",
  "^[a-z]*$",
  "a|b",
  "\\.",
  "\\d{1,2}",
  "^(a|ab)$",
  "^(a+)+$",
  "[$a]",
  "\\$",
  "^[^/]+$",
  "(/[a-z]+)+",
  "\\s",
  "^\\S+$",
  "\\bapi\\b",
  "[[:upper:]]",
  "a{2,}",
  "(?:a|b){1,3}$",
  "^/(?P<first>\\w+)",
  "[^a-z]",
  "{",
  "a{,5}",
];

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const same = (text: string): Expression => ({ text, oracle: text });
const map2 = (of: Expression, make: (text: string) => string): Expression => ({
  text: make(of.text),
  oracle: make(of.oracle),
});

/** Makes expressions of a phase. */
export class Expressions {
  readonly #random: Random;
  readonly #ofResponse: boolean;

  constructor(random: Random, ofResponse: boolean) {
    this.#random = random;
    this.#ofResponse = ofResponse;
  }

  condition(depth = 3): Expression {
    const random = this.#random;
    if (depth === 0 || random.chance(0.3)) return this.#leaf();
    const a = this.condition(depth - 1);
    switch (random.below(6)) {
      case 0:
        return map2(a, (text) => `!(${text})`);
      case 1: {
        const [b, c] = [this.condition(depth - 1), this.condition(depth - 1)];
        return {
          text: `((${a.text}) ? (${b.text}) : (${c.text}))`,
          oracle: `((${a.oracle}) ? (${b.oracle}) : (${c.oracle}))`,
        };
      }
      default: {
        const b = this.condition(depth - 1);
        const sign = random.pick(["&&", "||", "==", "&&", "||"]);
        return { text: `(${a.text}) ${sign} (${b.text})`, oracle: `(${a.oracle}) ${sign} (${b.oracle})` };
      }
    }
  }

  #literal(): string {
    const random = this.#random;
    return random.chance(0.5)
      ? random.pick(VALUES)
      : random.pick([...PATHS, ...METHODS, "1", "q=1", "/a", "api", "a b", "GET"]);
  }

  #lines(): Expression {
    const random = this.#random;
    const name = random.pick(HEADERS);
    if (this.#ofResponse && random.chance(0.4))
      return { text: `res.headers[${quoted(name)}]`, oracle: `getResHeader(${quoted(name)})` };
    return random.chance(0.5)
      ? {
          text: `req.headers[${quoted(random.chance(0.3) ? name.toUpperCase() : name)}]`,
          oracle: `getReqHeader(${quoted(name)})`,
        }
      : same(`getReqHeader(${quoted(name)})`);
  }

  string(): Expression {
    const random = this.#random;
    switch (random.below(10)) {
      case 0:
        return same("req.method");
      case 1:
        return same("req.url.path");
      case 2:
        return same(random.pick(["req.url.raw_path", "req.url.uri", "req.content_type"]));
      case 3:
        return same("req.url.query");
      case 4:
      case 5: {
        const index = random.pick([0, 0, 1]);
        return map2(this.#lines(), (text) => `${text}[${index}]`);
      }
      case 6:
        return same(random.pick(["req.user_agent", "req.host"]));
      case 7:
        return { text: "req.url.query_params['q'][0]", oracle: "getQueryParam('q')[0]" };
      case 8:
        return { text: "req.cookies['s'][0].value", oracle: "getReqCookie('s')" };
      default: {
        const change = random.pick(["lowerAscii", "upperAscii"]);
        return map2(this.string(), (text) => `${text}.${change}()`);
      }
    }
  }

  #leaf(): Expression {
    const random = this.#random;
    switch (random.below(14)) {
      case 0:
      case 1: {
        const [sign, value] = [random.pick(["==", "!="]), quoted(this.#literal())];
        return map2(this.string(), (text) => `${text} ${sign} ${value}`);
      }
      case 2:
      case 3: {
        const [method, value] = [
          random.pick(["startsWith", "endsWith", "contains"]),
          quoted(this.#literal()),
        ];
        return map2(this.string(), (text) => `${text}.${method}(${value})`);
      }
      case 4: {
        const pattern = quoted(random.pick(PATTERNS));
        return map2(this.string(), (text) => `${text}.matches(${pattern})`);
      }
      case 5: {
        const length = random.pick([0, 1, 2, 3, 45]);
        const list = Array.from({ length }, (_, i) => quoted(i < 4 ? this.#literal() : `${i}`)).join(", ");
        return map2(this.string(), (text) => `${text} in [${list}]`);
      }
      case 6: {
        const value = quoted(random.pick(VALUES));
        return map2(this.#lines(), (text) => `${value} in ${text}`);
      }
      case 7: {
        const name = quoted(random.pick(HEADERS));
        return same(random.pick([`${name} in req.headers`, `hasReqHeader(${name})`]));
      }
      case 8:
        return same(
          random.pick([
            "hasQueryParam('q')",
            "'q' in req.url.query_params",
            "hasReqCookie('s')",
            "'s' in req.cookies",
          ]),
        );
      case 9:
        return this.#quantified();
      case 10: {
        const [sign, number] = [random.pick(["==", "!=", "<", "<=", ">", ">="]), random.pick([0, 1, 2])];
        return map2(this.#lines(), (text) => `size(${text}) ${sign} ${number}`);
      }
      case 11: {
        const [sign, number] = [random.pick(["==", "<", ">="]), random.pick([0, 1, 3, 5, -1])];
        return map2(this.string(), (text) => `size(${text}) ${sign} ${number}`);
      }
      case 12:
        return same(this.#other());
      default: {
        const [a, b] = [this.string(), this.string()];
        const sign = random.pick(["==", "!="]);
        return { text: `${a.text} ${sign} ${b.text}`, oracle: `${a.oracle} ${sign} ${b.oracle}` };
      }
    }
  }

  #quantified(): Expression {
    const random = this.#random;
    const value = quoted(random.pick(VALUES));
    const tests = [
      `v.startsWith(${value})`,
      `v.contains(${value})`,
      `v == ${value}`,
      `!v.endsWith(${value})`,
      `v != ${value}`,
      `v.matches(${quoted(random.pick(PATTERNS))})`,
      `v.startsWith('a') && v != ${value}`,
      `v in [${value}, 'a']`,
    ];
    const [macro, body] = [random.pick(["exists", "all"]), random.pick(tests)];
    return map2(this.#lines(), (text) => `${text}.${macro}(v, ${body})`);
  }

  #other(): string {
    const ofResponse = this.#ofResponse ? ["res.status_code == 200", "res.status_code >= 404"] : [];
    return this.#random.pick([
      "conn.client_ip == '127.0.0.1'",
      "conn.client_ip in ['127.0.0.2', '::1']",
      "inCidrRange(conn.client_ip, '127.0.0.0/30')",
      "inCidrRange(conn.client_ip, '::/0')",
      "inCidrRanges(conn.client_ip, ['10.0.0.0/8', '127.1.0.0/16'])",
      "req.content_length > 3",
      "req.content_length == 0",
      "req.content_length in [3, 6]",
      "conn.server_port == 1",
      ...ofResponse,
      ...ofResponse,
    ]);
  }

  /** A request that is not quite what everybody sends. */
  request(): OddRequest {
    const random = this.#random;
    const method = random.pick(METHODS);
    const query = random.pick(QUERIES);
    const some = (most: number): [string, string][] =>
      Array.from({ length: random.below(most) }, () => {
        const name = random.pick(HEADERS);
        return [random.pick([name, name.toUpperCase()]), random.pick(VALUES)];
      });
    const headers = [
      ...some(5),
      ...(random.chance(0.05)
        ? Array.from({ length: 9 }, (): [string, string] => ["x-a", random.pick(VALUES)])
        : []),
    ];
    if (random.chance(0.6)) headers.push(["Cookie", random.pick(COOKIES)]);
    if (random.chance(0.5)) headers.push(["Content-Type", random.pick(TYPES)]);
    const body = method === "POST" || method === "PUT" ? random.pick(["", "abc", "abcdef"]) : "";
    if (body !== "" || random.chance(0.2)) headers.push(["Content-Length", String(body.length)]);
    return {
      method,
      target: random.pick(PATHS) + (query !== "" || random.chance(0.2) ? `?${query}` : ""),
      headers,
      source: random.pick(SOURCES),
      body,
      response: { status: random.pick([200, 404, 503]), headers: some(4) },
    };
  }
}
