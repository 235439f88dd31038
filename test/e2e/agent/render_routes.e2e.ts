import assert from "node:assert/strict";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, inflateSync } from "node:zlib";
import type { Backend, Route } from "../../../packages/model/src/traffic/snapshot.ts";
import { call, exchange, listening } from "./calls.ts";
import { certificate, folder, freePort, httpsEdge, serve, serverCertificate } from "./proxy.ts";

/** An HTTPS edge with these routes (backend: the upstream, unless they say otherwise), and a caller of it. */
async function served(
  t: TestContext,
  upstream: RequestListener,
  routes: readonly (Partial<Route> & { match: string })[],
  backends: Record<string, Backend> = {},
) {
  const address = `127.0.0.1:${await listening(t, createHttpServer(upstream))}`;
  const port = await freePort();
  const { pem } = certificate(folder(t), ["x.example"]);
  const rendered = await serve(
    t,
    {
      edges: [
        httpsEdge(
          "edghts_1",
          [`x.example:${port}`],
          routes.map((route, index) => ({
            id: `edghtsrt_${index}`,
            match_type: "exact_path",
            backend: { backend_id: "bkdsc_up" },
            ...route,
          })),
        ),
      ],
      backends: { bkdsc_up: { kind: "static", address, tls: false }, ...backends },
    },
    { certificateFor: () => serverCertificate(pem) },
  );
  return {
    ...rendered,
    get: (path: string, headers: Record<string, string> = {}, method = "GET") =>
      call(port, "x.example", path, { headers, method }),
  };
}

test("headers are added and removed on both sides, whatever is in their values", async (t) => {
  const values = {
    "x-plain": "plain",
    "x-space": "two  spaces",
    "x-percent": "%[src] 100 % %% %Ts",
    "x-quotes": `it's "quoted" \\ $HOME \${HOME} #no {braces} [x] (y,z)`,
    "x-utf8": "žluťoučký",
    "x-empty": "",
    "x-tab": "a\tb",
    "x-long": "v".repeat(5000),
  };
  const names = Object.fromEntries([..."!#$%&'*+-.^_`|~"].map((character) => [`x${character}y`, character]));
  const add = { ...values, ...names, "X-Case": "1", host: "other.example" };
  const { get, problems } = await served(
    t,
    (request, response) => {
      response.setHeader("x-powered-by", "it");
      response.setHeader("x-'odd", "it");
      response.setHeader("x-plain", "the upstream's");
      response.setHeader("x-kept", "it");
      response.end(JSON.stringify(request.headers));
    },
    [
      {
        match: "/",
        request_headers: { add, remove: ["X-Secret", "x-'odd", "connection"] },
        response_headers: {
          add: { ...values, ...names, "content-length": "1" },
          remove: ["X-Powered-By", "x-'odd"],
        },
      },
    ],
  );
  assert.deepEqual(
    problems.map(({ code, msg }) => [code, /1 more/.test(msg)]),
    [["header_left_out", true]],
  );
  const { headers, body } = await get("/", {
    "x-secret": "s",
    "x-'odd": "s",
    "x-plain": "the client's",
    "x-forwarded-for": "192.0.2.1",
  });
  const seen = JSON.parse(body.toString()) as Record<string, string>;
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  for (const [name, value] of Object.entries({ ...values, ...names })) {
    assert.equal(seen[name], latin1(value), `request ${name}`);
    assert.equal(headers[name], latin1(value), `response ${name}`);
  }
  assert.equal(seen["x-case"], "1");
  assert.equal(seen["host"], "other.example");
  assert.equal(seen["x-secret"], undefined);
  assert.equal(seen["x-'odd"], undefined);
  assert.equal(headers["x-powered-by"], undefined);
  assert.equal(headers["x-'odd"], undefined);
  assert.equal(headers["x-kept"], "it");
  assert.equal(seen["x-forwarded-for"], "127.0.0.1");
});

test("user agents: allow beats deny, and none is refused unless allowed", async (t) => {
  const { get } = await served(t, (_, response) => response.end("ok"), [
    {
      match: "/deny",
      user_agent_filter: { allow: ["(?i)google-images"], deny: ["(?i)google", "^[Bb]ing, too$"] },
    },
    { match: "/allow", user_agent_filter: { allow: ["^$", "^good"], deny: null } },
    { match: "/none", user_agent_filter: { allow: null, deny: null } },
    { match: "/slow", user_agent_filter: { allow: null, deny: Array(30).fill("^(a|aa|aaa)+$") as string[] } },
    {
      match: "/evil",
      user_agent_filter: { allow: null, deny: ["(a+)+$", "-i", "-f /etc/passwd", `'"#{}%\\\\`] },
    },
  ]);
  const status = async (path: string, agent?: string) =>
    (await get(path, agent === undefined ? {} : { "user-agent": agent })).status;
  assert.equal(await status("/deny", "curl"), 200);
  assert.equal(await status("/deny", "x GOOGLE y"), 403);
  assert.equal(await status("/deny", "x Google-Images y"), 200);
  assert.equal(await status("/deny", "bing, too"), 403);
  assert.equal(await status("/deny"), 403);
  assert.equal(await status("/deny", ""), 403);
  assert.equal(await status("/allow"), 200);
  assert.equal(await status("/allow", ""), 200);
  assert.equal(await status("/allow", "bad"), 200);
  assert.equal(await status("/none"), 403);
  assert.equal(await status("/none", "x"), 200);
  assert.equal(await status("/evil", "-f /etc/passwd"), 403);
  assert.equal(await status("/evil", `'"#{}%\\`), 403);
  const begun = performance.now();
  for (let i = 0; i < 10; i++) assert.equal(await status("/slow", `${"a".repeat(40)}!`), 403);
  const took = performance.now() - begun;
  // Over two seconds without a bound.
  assert.ok(took < 1000, `${took} ms`);
});

test("a pattern that is given up denies, and no request keeps HAProxy busy", async (t) => {
  const steps = String.raw`(a|aa|aaa)+$`;
  const before = ["", '"', "'", String.raw`\\`, String.raw`\(`, String.raw`\)`, ",", " ", "#", "%", "(?i)A"];
  const patterns = before.map((text) => text + steps);
  const filter = (deny: string[], allow: string[] | null = null) => ({ user_agent_filter: { allow, deny } });
  const { get, problems } = await served(t, (_, response) => response.end("ok"), [
    ...patterns.map((pattern, index) => ({ match: `/${index}`, ...filter([pattern]) })),
    { match: "/stack", ...filter(["((?:a|b)*)z$"]) },
    { match: "/end", ...filter(["(?<=bot)$"]) },
    { match: "/allowed", ...filter([steps], ["!$"]) },
    { match: "/most", ...filter(Array.from({ length: 100 }, (_, i) => `(?:a?){11}(?=a*b?)[QR]${i}`)) },
    { match: "/more", ...filter(Array.from({ length: 101 }, (_, i) => `(a)${i}`)) },
    { match: "/plain", ...filter(Array.from({ length: 500 }, (_, i) => `bot${i}$`)) },
  ]);
  assert.deepEqual(
    problems.map(({ code }) => code),
    ["too_many_patterns"],
  );
  const status = async (path: string, agent: string) => (await get(path, { "user-agent": agent })).status;
  const slow = `${"a".repeat(40)}!`;
  for (const [index, text] of before.entries()) {
    const begin = text.replace(/^\\/, "").replace("(?i)", "");
    assert.equal(await status(`/${index}`, `x${begin}${slow}`), 403, text);
    assert.equal(await status(`/${index}`, "curl"), 200, text);
  }
  assert.equal(await status("/stack", `${"ab".repeat(500)}z`), 403);
  assert.equal(await status("/end", "a bot"), 403);
  assert.equal(await status("/end", "a bot!"), 200);
  assert.equal(await status("/allowed", slow), 200);
  assert.equal(await status("/allowed", "curl"), 200);
  const begun = performance.now();
  assert.equal(await status("/most", "a".repeat(1024)), 403);
  assert.ok(performance.now() - begun < 1000);
  assert.equal(await status("/more", "curl"), 503);
  assert.equal(await status("/plain", "bot499"), 403);
  assert.equal(await status("/plain", "x".repeat(1024)), 200);
  assert.equal(await status("/plain", "x".repeat(1025)), 403);
});

test("a circuit opens by volume and share of failures, closes after its time and opens anew", async (t) => {
  let calls = 0;
  let isBroken = false;
  const { get, problems } = await served(
    t,
    (_, response) => {
      calls++;
      response.statusCode = isBroken ? 500 : 200;
      response.end();
    },
    [
      {
        match: "/",
        circuit_breaker: {
          tripped_duration: 1,
          rolling_window: 2,
          num_buckets: 10,
          volume_threshold: 4,
          error_threshold_percentage: 0.5,
        },
      },
      { match: "/other" },
    ],
  );
  assert.deepEqual(problems, []);
  const statuses = async (times: number) => {
    const all: number[] = [];
    for (let i = 0; i < times; i++) all.push((await get("/")).status);
    return all.join(" ");
  };
  assert.equal(await statuses(2), "200 200");
  isBroken = true;
  // The fifth request sees 2 failures of 4 before it.
  assert.equal(await statuses(5), "500 500 503 503 503");
  assert.equal(calls, 4);
  assert.equal((await get("/other")).status, 500);
  isBroken = false;
  await sleep(1200);
  // Statistics begin anew: what failed before does not open it again.
  assert.equal(await statuses(6), "200 200 200 200 200 200");
  // Two failures of eight are below the share.
  isBroken = true;
  assert.equal(await statuses(2), "500 500");
  isBroken = false;
  assert.equal(await statuses(1), "200");
  isBroken = true;
  await sleep(4100);
  assert.equal(await statuses(6), "500 500 500 500 503 503");
});

test("a circuit trips whatever the concurrency, threshold and latency, within the volume and the requests under way", async (t) => {
  const VOLUME = 10;
  const cases = [1, 8, 64].flatMap((concurrency) =>
    [0, 0.5, 0.9, 1].flatMap((threshold) => [0, 400].map((latency) => ({ concurrency, threshold, latency }))),
  );
  const calls = cases.map(() => 0);
  const { get, problems } = await served(
    t,
    async ({ url = "" }, response) => {
      const index = Number(url.slice(1));
      calls[index] = (calls[index] ?? 0) + 1;
      await sleep(cases[index]?.latency);
      response.writeHead(500).end();
    },
    cases.map(({ threshold }, index) => ({
      match: `/${index}`,
      circuit_breaker: {
        tripped_duration: 60,
        rolling_window: 60,
        num_buckets: 10,
        volume_threshold: VOLUME,
        error_threshold_percentage: threshold,
      },
    })),
  );
  assert.deepEqual(problems, []);
  /** Sends one request after another until the circuit is open, or until it should long have been. */
  const client = async (index: number): Promise<void> => {
    for (let left = 5 * VOLUME; left > 0; left--) if ((await get(`/${index}`)).status === 503) return;
  };
  await Promise.all(
    cases.flatMap(({ concurrency }, index) => Array.from({ length: concurrency }, () => client(index))),
  );
  for (const [index, { concurrency }] of cases.entries()) {
    const count = calls[index] ?? 0;
    const detail = `${JSON.stringify(cases[index])}: ${count} requests`;
    assert.ok(count >= VOLUME && count <= VOLUME + concurrency, detail);
  }
});

test("compression by Accept-Encoding", async (t) => {
  const text = "text ".repeat(1000);
  const { get } = await served(
    t,
    (_, response) => {
      response.setHeader("content-type", "text/plain");
      response.end(text);
    },
    [{ match: "/", compression: {} }, { match: "/not" }],
  );
  const gzip = await get("/", { "accept-encoding": "gzip" });
  assert.equal(gzip.headers["content-encoding"], "gzip");
  assert.equal(gunzipSync(gzip.body).toString(), text);
  const deflate = await get("/", { "accept-encoding": "deflate" });
  assert.equal(deflate.headers["content-encoding"], "deflate");
  assert.equal(inflateSync(deflate.body).toString(), text);
  assert.equal((await get("/")).headers["content-encoding"], undefined);
  assert.equal((await get("/not", { "accept-encoding": "gzip" })).headers["content-encoding"], undefined);
});

test("fixed responses: bodies byte for byte up to 64 KiB, headers, statuses without a body", async (t) => {
  const every = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");
  const bodies = {
    none: "",
    all: `${every}%[src] 'quoted' "\\n" # {x}\n`,
    large: "x".repeat(65_536),
    larger: "x".repeat(65_537),
  };
  const response = (body: string, status_code = 200, headers = {}): Backend => ({
    kind: "http_response",
    status_code,
    headers,
    body,
  });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, `"${index}`]));
  const { get, problems } = await served(
    t,
    (_, response) => response.end(),
    ["none", "all", "large", "larger", "b204", "b304", "s599", "many", "heavy"].map((name) => ({
      match: `/${name}`,
      backend: { backend_id: `bkdhr_${name}` },
    })),
    {
      ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`bkdhr_${name}`, response(body)])),
      bkdhr_b204: response("body", 204, { "x-a": "b" }),
      bkdhr_b304: response("body", 304),
      bkdhr_s599: response("{}", 599, { "content-type": `application/json; x="%"`, "x-empty": "" }),
      bkdhr_many: response("x".repeat(60_000), 200, { ...many, "x-long": "y".repeat(6000) }),
      bkdhr_heavy: response("", 200, { "x-long": "y".repeat(8200) }),
    },
  );
  assert.deepEqual(
    problems.map(({ object, code }) => `${object} ${code}`),
    [
      "bkdhr_b204 body_left_out",
      "bkdhr_b304 body_left_out",
      "bkdhr_heavy headers_too_large",
      "bkdhr_larger body_too_large",
    ],
  );
  for (const name of ["none", "all", "large"] as const) {
    const { status, body } = await get(`/${name}`);
    assert.equal(status, 200);
    assert.ok(body.equals(Buffer.from(bodies[name])), name);
  }
  assert.equal((await get("/all", {}, "HEAD")).status, 200);
  assert.equal((await get("/all", {}, "POST")).body.length, Buffer.byteLength(bodies.all));
  assert.equal((await get("/larger")).status, 503);
  assert.equal((await get("/heavy")).status, 503);
  assert.equal((await get("/b204")).status, 204);
  assert.equal((await get("/b204")).headers["x-a"], "b");
  assert.equal((await get("/b304")).status, 304);
  const json = await get("/s599");
  assert.equal(json.status, 599);
  assert.equal(json.headers["content-type"], `application/json; x="%"`);
  assert.equal(json.headers["x-empty"], "");
  const heavy = await get("/many");
  assert.equal(heavy.body.length, 60_000);
  for (const [name, value] of Object.entries(many)) assert.equal(heavy.headers[name], value);
});

test("a route whose policy is not compiled returns 503", async (t) => {
  const { get } = await served(t, (request, response) => response.end(request.url), [
    { match: "/", match_type: "path_prefix" },
    { match: "/policy", traffic_policy: { value: "x" } },
  ]);
  assert.equal((await get("/polic")).status, 200);
  assert.equal((await get("/policy")).status, 503);
});

test("a websocket converter gets the request, and an upstream to write to", async (t) => {
  const tcp = await listening(
    t,
    createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("upstream"),
    ),
  );
  const { get, conversions } = await served(
    t,
    (_, response) => response.end(),
    [{ match: "/ws", websocket_tcp_converter: {}, backend: { backend_id: "bkdsc_tcp" } }],
    { bkdsc_tcp: { kind: "static", address: `127.0.0.1:${tcp}`, tls: false } },
  );
  const [converter] = conversions;
  assert.equal(converter?.route, "edghtsrt_0");
  assert.equal(await exchange({ path: converter.upstream }), "upstream");
  assert.equal((await get("/ws")).status, 503);
  const http = createHttpServer((request, response) => response.end(`converted ${request.url}`));
  http.listen(join(converter.socket));
  t.after(() => http.close());
  assert.equal((await get("/ws")).body.toString(), "converted /ws");
});
