import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { isQuotable } from "../../../packages/agent/src/base/quote.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { readMatch } from "../../../packages/model/src/traffic/paths.ts";
import type { Backend, Route, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { call, listening } from "./calls.ts";
import {
  certificate,
  complaints,
  folder,
  freePort,
  httpsEdge,
  serve,
  serverCertificate,
  settings,
  snapshot,
} from "./proxy.ts";

/** What means something to some reader of configuration, formats, maps, expressions or patterns. */
const NASTY = [
  ..."'\"\\#%${}[]()<>,;: \t|&!~^*+-=@/._`",
  ..."aé😀\u00A0\u2028\u007F\u0001\u001B",
  "%[src]",
  "%%",
  "\\n",
  "\\x00",
  "${HOME}",
  "$HOME",
  "' #",
  '" ',
  "'\\''",
  " if TRUE",
  " -f ",
  "--",
  "%ci",
  "str(",
  ")]",
  "*/",
];

const text = (extra: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...NASTY, ...extra), { maxLength }).map((pieces) => pieces.join(""));

const headerName = fc
  .array(fc.constantFrom(..."!#$%&'*+-.^_`|~09azAZ"), { minLength: 1, maxLength: 12 })
  .map((characters) => `x${characters.join("")}`);
const headerValue = text([], 30);
const headers = fc
  .uniqueArray(fc.tuple(headerName, headerValue), { maxLength: 8, selector: ([name]) => name.toLowerCase() })
  .map((entries) => Object.fromEntries(entries));
/** As the service takes them: no `?`, `#`, spaces or control characters. */
const reading = (match: string) => readMatch({ match_type: "exact_path", match });
const path = text([], 12)
  .map((rest) => `/${rest.replaceAll(/[\s?#\p{Cc}]/gu, "")}`)
  .filter((match) => reading(match) !== undefined);
const response = fc.record({
  kind: fc.constant("http_response" as const),
  status_code: fc.integer({ min: 200, max: 599 }),
  headers,
  body: fc.oneof(
    text(["\0", "\n", "\r\n", "\n# "], 40),
    text(["\n"], 10).map((text) => text.repeat(2000).slice(0, 70_000)),
  ),
});
/** A pattern that matches this text and nothing else, whatever is in it. */
const literal = text(["\n", "\0"], 20).map(
  (text) =>
    `^${text.replaceAll(/[\\^$.[\]|()?*+{}# \t-]/g, (character) => `\\x{${character.charCodeAt(0).toString(16)}}`)}$`,
);
const patterns = fc.option(fc.array(literal, { maxLength: 3 }));
const module = fc.record({
  add: fc.option(headers),
  remove: fc.option(fc.array(headerName, { maxLength: 3 })),
});

const routes = fc.uniqueArray(
  fc.record({
    match: path,
    answer: response,
    request: module,
    answered: module,
    allow: patterns,
    deny: patterns,
  }),
  { selector: ({ match }) => reading(match), minLength: 1, maxLength: 12 },
);

type Drawn = typeof routes extends fc.Arbitrary<infer T> ? T : never;

const configuration = (drawn: Drawn, port: number, address = "192.0.2.1:80"): Partial<Snapshot> => ({
  edges: [
    httpsEdge(
      "edghts_1",
      [`x.example:${port}`],
      drawn.flatMap(({ match, request, answered, allow, deny }, index): Route[] => [
        {
          id: `edghtsrt_${index}`,
          match_type: "exact_path",
          match,
          backend: { backend_id: `bkdhr_${index}` },
        },
        {
          id: `edghtsrt_m${index}`,
          match_type: "exact_path",
          match: `/m/${index}`,
          backend: { backend_id: "bkdsc_up" },
          request_headers: request,
          response_headers: answered,
        },
        {
          id: `edghtsrt_u${index}`,
          match_type: "path_prefix",
          match: `/u/${index}${match}`,
          backend: { backend_id: "bkdsc_up" },
          user_agent_filter: { allow, deny },
        },
      ]),
    ),
  ],
  backends: {
    bkdsc_up: { kind: "static", address, tls: false },
    ...Object.fromEntries(drawn.map(({ answer }, index) => [`bkdhr_${index}`, answer as Backend])),
  },
});

test("whatever the values are, HAProxy takes the configuration, and without a word", (t) => {
  const path = folder(t);
  const { pem } = certificate(path, ["x.example"]);
  const used = settings({
    directory: join(path, "rendered"),
    sockets: join(path, "s"),
    certificateFor: () => serverCertificate(pem),
  });
  fc.assert(
    fc.property(routes, (drawn) => {
      const rendered = render(snapshot(configuration(drawn, 4430)), used);
      assert.equal(complaints(rendered, used), "");
      const unquotable = drawn.filter(
        ({ allow, deny }) => ![...(allow ?? []), ...(deny ?? [])].every(isQuotable),
      );
      assert.equal(
        rendered.problems.filter(({ code }) => code === "pattern_refused").length,
        unquotable.length,
      );
    }),
    { numRuns: 80 },
  );
});

test("what is served are the bytes that were given", async (t) => {
  const upstream = createHttpServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.headers));
  });
  const address = `127.0.0.1:${await listening(t, upstream)}`;
  const { pem } = certificate(folder(t), ["x.example"]);
  await fc.assert(
    fc.asyncProperty(routes, async (drawn) => {
      const port = await freePort();
      const hooks: (() => unknown)[] = [];
      try {
        const { problems } = await serve(
          { after: (hook) => hooks.push(hook) },
          configuration(drawn, port, address),
          { certificateFor: () => serverCertificate(pem) },
        );
        const told = new Set(problems.map(({ object }) => object));
        for (const [index, { match, answer, request, answered }] of drawn.entries()) {
          if (!told.has(`bkdhr_${index}`)) {
            const got = await call(port, "x.example", encoded(match));
            assert.equal(got.status, answer.status_code);
            const hasNone = [204, 304].includes(answer.status_code);
            assert.ok(hasNone || got.body.equals(Buffer.from(answer.body)), match);
            sameHeaders(got.headers, answer.headers);
          }
          const got = await call(port, "x.example", `/m/${index}`);
          sameHeaders(JSON.parse(got.body.toString()) as Record<string, string>, request.add ?? {});
          sameHeaders(got.headers, answered.add ?? {});
        }
      } finally {
        for (const hook of hooks) await hook();
      }
    }),
    { numRuns: 12 },
  );
});

/** As clients send it. */
const encoded = (path: string) => path.replaceAll(/[^!-~]+/g, encodeURIComponent);

/** HTTP drops white space around values; control characters make a header invalid, and are not compared. */
function sameHeaders(seen: Record<string, unknown>, given: Record<string, string>): void {
  for (const [name, value] of Object.entries(given)) {
    if (/\p{Cc}/u.test(value.replaceAll("\t", ""))) continue;
    const bytes = Buffer.from(value)
      .toString("latin1")
      .replaceAll(/^[ \t]+|[ \t]+$/g, "");
    assert.equal(seen[name.toLowerCase()], bytes, name);
  }
}
