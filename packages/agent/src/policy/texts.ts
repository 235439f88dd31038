import type { Lines, Text } from "../../../model/src/policy/base/program.ts";
import { argument } from "../base/quote.ts";
import { escaped, negated, regexArgument, when, type Writer } from "./writer.ts";

/** A sample, and the conditions under which it is known. */
export interface Sample {
  fetch: string;
  known: string[];
}

const cookieName = (name: string): string => `[ \\t]*${escaped(name)}[ \\t]*`;

const replaced = (fetch: string, pattern: string, by: string): string =>
  `${fetch},regsub(${regexArgument(pattern)},${regexArgument(by)})`;

/** Fetches strings of a request, a response or a connection. A string that is asked twice is fetched once. */
export class Texts {
  readonly #writer: Writer;
  /** Where requests are fetched: in the phase of responses, at the end of the request. */
  readonly #request: Writer;
  readonly #known = new Map<string, Sample>();
  #query: string | undefined;
  #plainNames: string | undefined;

  constructor(writer: Writer, request: Writer) {
    this.#writer = writer;
    this.#request = request;
  }

  /** A string. */
  text(text: Text): Sample {
    const key = JSON.stringify(text);
    const known = this.#known.get(key);
    if (known) return known;
    const made = this.#make(text);
    this.#known.set(key, made);
    return made;
  }

  #make(text: Text): Sample {
    switch (text.from) {
      case "lower":
      case "upper": {
        const of = this.text(text.of);
        return { ...of, fetch: `var(${this.#writer.hold(`${of.fetch},${text.from}`, of.known)})` };
      }
      case "line":
        return text.of.from === "response_header"
          ? line(this.#writer, text.of, text.index)
          : this.#later(line(this.#request, text.of, text.index));
      case "var":
        return found(variable(this.#writer, text.name));
      case "restrict_ips_action":
        return found(resultVariable(this.#writer, "restrict_ips"));
      case "sni":
        return this.#connection("ssl_fc_sni");
      case "alpn":
        return this.#connection("ssl_fc_alpn");
      case "tls_version":
        return this.#connection(replaced("ssl_fc_protocol", "^TLSv", ""));
      case "client_common_name":
        return found(this.#writer.hold("ssl_c_s_dn(cn)", ["{ ssl_c_used }"]));
      case "method":
      case "path":
      case "raw_path":
      case "query":
      case "uri":
      case "host":
      case "user_agent":
      case "content_type":
        return this.#later(this.#plain(text.from));
      case "query_param":
        return this.#later(this.#parameter(text.name));
      case "cookie":
        return this.#later(this.#cookie(text.name));
    }
  }

  #connection(fetch: string): Sample {
    return { fetch: `var(${this.#writer.holdOrEmpty(fetch, ["{ ssl_fc }"])})`, known: [] };
  }

  /** In the phase of responses, conditions on the request are asked at its end, and the result is kept. */
  #later(sample: Sample): Sample {
    if (this.#writer === this.#request) return sample;
    return found(this.#request.hold(sample.fetch, sample.known));
  }

  #plain(
    from: "method" | "path" | "raw_path" | "query" | "uri" | "host" | "user_agent" | "content_type",
  ): Sample {
    const held = (fetch: string): Sample => ({ fetch: `var(${this.#request.hold(fetch)})`, known: [] });
    switch (from) {
      case "method":
        // `method` alone ignores case.
        return held("method,concat()");
      case "path": {
        // Matching in lists ends at NUL: a path with one is an error.
        const name = this.#request.hold("path,url_dec");
        return { fetch: `var(${name})`, known: [`{ var(${name}) -m found }`, "!{ path -m sub %00 }"] };
      }
      case "raw_path":
        return held("path");
      case "query":
        return { fetch: this.query(), known: [] };
      case "uri":
        return held("pathq");
      case "host":
        return line(this.#request, { from: "header", name: "host" }, 0);
      case "user_agent": {
        const { fetch, known } = line(this.#request, { from: "header", name: "user-agent" }, 0);
        return { fetch: `var(${this.#request.holdOrEmpty(fetch, known)})`, known: [] };
      }
      case "content_type": {
        const { fetch, known } = line(this.#request, { from: "header", name: "content-type" }, 0);
        const name = this.#request.hold(`${replaced(fetch, "[ \\t]*(?:;.*)?\\z", "")},lower`, known);
        return { fetch: `var(${name})`, known };
      }
    }
  }

  /** The query, empty where there is none. */
  query(): string {
    this.#query ??= this.#request.holdOrEmpty("query", ["{ query -m found }"]);
    return `var(${this.#query})`;
  }

  /**
   * Holds where no name of a parameter is encoded: names are compared as they were sent. Possessive, because PCRE otherwise remembers
   * a state for each parameter, and gives up after about 400.
   */
  plainNames(): string {
    this.#plainNames ??= this.#request.hold(
      replaced(this.query(), "^(?:[^&=%+]*+(?:=[^&]*+)?+(?:&|\\z))*+\\z", ""),
    );
    return `{ var(${this.#plainNames}) -m len 0 }`;
  }

  /** Holds if the query has a parameter. Its name is known only where `plainNames` holds. */
  hasParameter(name: string): string {
    return when(this.query(), "reg", `(?:^|&)${escaped(name)}(?:=|&|\\z)`);
  }

  /** Not `url_param`, which also splits at `;` and starts over at each question mark. */
  #parameter(name: string): Sample {
    const pattern = `^(?:.*?&)??${escaped(name)}(?:=([^&]*))?(?:&.*)?\\z`;
    const held = this.#request.hold(`${replaced(this.query(), pattern, "\\1")},url_dec(1)`);
    return {
      fetch: `var(${held})`,
      known: [
        this.plainNames(),
        this.hasParameter(name),
        `{ var(${held}) -m found }`,
        negated(`{ ${this.query()} -m sub %00 }`),
      ],
    };
  }

  /** Not `req.cook`, which splits at commas, misses an empty cookie at the end, and gives the last of a name. */
  #cookie(name: string): Sample {
    const all = `var(${this.#request.hold("req.fhdr(cookie,1)")})`;
    const own = cookieName(name);
    const value = this.#request.hold(
      replaced(all, `^(?:.*;)?${own}=[ \\t]*([^;]*?)[ \\t]*(?:;.*)?\\z`, "\\1"),
    );
    return {
      fetch: `var(${value})`,
      known: [
        "{ req.fhdr_cnt(cookie) eq 1 }",
        when(all, "reg", `(?:^|;)${own}=`),
        negated(when(all, "reg", `(?:^|;)${own}=.*;${own}=`)),
      ],
    };
  }
}

/** Holds if any Cookie line has a cookie. */
export const hasCookie = (name: string): string =>
  when("req.fhdr(cookie)", "reg", `(?:^|;)${cookieName(name)}=`);

const found = (name: string): Sample => ({ fetch: `var(${name})`, known: [`{ var(${name}) -m found }`] });

const fetchOf = ({ from }: Lines): string => (from === "header" ? "req.fhdr" : "res.fhdr");

/** One line of a header. `req.fhdr(x)` alone is the last one. */
function line(writer: Writer, of: Lines, index: number): Sample {
  const known = [`{ ${count(of)} gt ${index} }`];
  const name = writer.holdOrEmpty(`${fetchOf(of)}(${argument(of.name)},${index + 1})`, known);
  return { fetch: `var(${name})`, known };
}

/** Iterates over all lines of a header. */
export const allLines = (of: Lines): string => `${fetchOf(of)}(${argument(of.name)})`;

/** How many lines of a header there are. */
export const count = (of: Lines): string => `${fetchOf(of)}_cnt(${argument(of.name)})`;

/** The variable of HAProxy for a variable of `set-vars`. Each phase has its own. */
export const variable = (writer: Writer, name: string): string =>
  writer.variable(`${writer.rule === "http-response" ? "s" : "q"}_${name}`);

/** The variable for a result that an action keeps. */
export const resultVariable = (writer: Writer, name: string): string => writer.variable(`k_${name}`);
