import { describe, expect, test } from "vitest";
import { del, get, ORIGIN, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";

let next = 0;
/** A new owner for each test: HTTPS edges are managed elsewhere, so any well-formed id will do. */
const edgeUrl = () => `/edges/https/edghts_${(next += 1)}`;
const routeUrl = () => `${edgeUrl()}/routes/edghtsrt_${(next += 1)}`;

const modules = [
  {
    name: "mutual_tls",
    url: edgeUrl,
    sent: { enabled: false, certificate_authority_ids: [given.CA, "ca_2"] },
    shown: {
      enabled: false,
      certificate_authorities: [given.CA, "ca_2"].map((id) => ({
        id,
        uri: `${ORIGIN}/certificate_authorities/${id}`,
      })),
    },
    byDefault: { enabled: true, certificate_authorities: null },
  },
  {
    name: "circuit_breaker",
    url: routeUrl,
    sent: {
      enabled: false,
      tripped_duration: 0,
      rolling_window: 4_294_967_295,
      num_buckets: 128,
      volume_threshold: 0,
      error_threshold_percentage: 0.125,
    },
    byDefault: {
      enabled: true,
      tripped_duration: 10,
      rolling_window: 10,
      num_buckets: 10,
      volume_threshold: 20,
      error_threshold_percentage: 0.5,
    },
  },
  {
    name: "request_headers",
    url: routeUrl,
    sent: { enabled: false, add: { "X-Forwarded-By": "edge", __proto__x: "" }, remove: ["Cookie", "cookie"] },
    byDefault: { enabled: true, add: null, remove: null },
  },
  { name: "websocket_tcp_converter", url: routeUrl, sent: { enabled: false }, byDefault: { enabled: true } },
];

describe.each(modules)("$name", ({ name, url, sent, shown = sent, byDefault }) => {
  test("can be set, replaced completely, and deleted, even if it is not set", async () => {
    const module = `${url()}/${name}`;
    const unset = await get(module);
    expect([unset.status, unset.body.msg]).toEqual([404, expect.stringContaining("is not set")]);
    expect((await del(module)).status).toBe(204);
    expect((await put(module, sent)).body).toEqual(shown);
    expect((await get(module)).body).toEqual(shown);
    expect((await put(module, {})).body).toEqual(byDefault);
    expect((await get(module)).body).toEqual(byDefault);
    expect((await del(module)).status).toBe(204);
    expect(outcome(await get(module))).toBe("404 ERR_NOT_FOUND");
  });

  test("accepts null for optional fields", async () => {
    const nulls = Object.fromEntries(Object.keys(sent).map((member) => [member, null]));
    expect((await put(`${url()}/${name}`, nulls)).body).toEqual(byDefault);
  });
});

test("the error of a circuit breaker says which unit is meant", async () => {
  const { body } = await put(`${routeUrl()}/circuit_breaker`, {
    error_threshold_percentage: 50,
    tripped_duration: "10s",
  });
  expect(body.errors).toEqual([
    { path: "/tripped_duration", msg: "Expected whole seconds without a unit, from 0 to 4294967295." },
    { path: "/error_threshold_percentage", msg: "Expected a fraction from 0 to 1: 0.5 for 50 %." },
  ]);
});

test.each([0, 1, 0.5, 1e-300])(
  "a circuit breaker accepts the threshold %d",
  async (error_threshold_percentage) => {
    const { body } = await put(`${routeUrl()}/circuit_breaker`, { error_threshold_percentage });
    expect(body.error_threshold_percentage).toBe(error_threshold_percentage);
  },
);

describe("header names and values", () => {
  test("names are returned as given, including __proto__; values can be empty or any single line of text", async () => {
    const raw =
      '{"add":{"X-Mixed-Case":"","__proto__":"a","constructor":"b","!#$%&\'*+-.^_`|~":"é 😀\\t"},"remove":["Cookie"]}';
    const url = `${routeUrl()}/request_headers`;
    const expected = JSON.parse(raw);
    for (const { text } of [await put(url, undefined, { raw }), await get(url)])
      expect(JSON.parse(text)).toEqual({ enabled: true, ...expected });
    expect(Object.keys((await get(url)).body.add)).toContain("__proto__");
  });

  test("{} and [] are shown as null", async () => {
    const { body } = await put(`${routeUrl()}/request_headers`, { add: {}, remove: [] });
    expect(body).toEqual({ enabled: true, add: null, remove: null });
  });

  test("a null value leaves its header out", async () => {
    const { body } = await put(`${routeUrl()}/request_headers`, { add: { a: null, b: "x" } });
    expect(body.add).toEqual({ b: "x" });
  });
});
