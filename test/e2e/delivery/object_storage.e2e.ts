import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { objectStorage } from "../../../src/delivery/object_storage.ts";
import { contextFor, creds, DESTINATION, keys, outgoing, several } from "./given.ts";
import { startCloud, xmlError } from "./receivers/aws.ts";
import type { Answer } from "./receivers/http.ts";

const target = {
  auth: creds,
  bucket_arn: "arn:aws:s3:::events-of-edges",
  region: "us-east-1",
  object_prefix: "",
  compression: false,
  max_file_size: 1024,
  max_file_age: 10,
};
const at = Date.UTC(2026, 0, 2, 3, 59, 59);
const first = outgoing(7, { at });
const name = `2026/01/02/03/${DESTINATION}-${first.envelope.event_id}.json`;

/** The URL of a request without an override. */
async function urlOf(changes: Partial<typeof target>) {
  let called: string | undefined;
  const context = contextFor({});
  const { failure } = await objectStorage.send({ ...target, ...changes }, [first, outgoing(8)], {
    ...context,
    call: async (url) => {
      called = url;
      return { status: 200, headers: new Headers(), text: "" };
    },
  });
  return called ?? failure?.error.code;
}

test("the URL has the bucket's host and the UTC time of the first event", async () => {
  assert.equal(await urlOf({}), `https://events-of-edges.s3.us-east-1.amazonaws.com/${name}`);
  assert.equal(
    await urlOf({ compression: true, object_prefix: "a/" }),
    `https://events-of-edges.s3.us-east-1.amazonaws.com/a/${name}.gz`,
  );
  assert.equal(
    await urlOf({ bucket_arn: "arn:aws-cn:s3:::events.of.edges", region: "cn-north-1" }),
    `https://s3.cn-north-1.amazonaws.com.cn/events.of.edges/${name}`,
  );
});

const odd = [
  "//evil.example/",
  "https://evil.example/",
  "@evil.example/",
  "a//b/",
  "?x=y#z",
  "a b+c%2e%2e/%2F",
  "!'()*~;:,=&$",
  "…/日本/𝄞",
  "\\..\\",
  "a\tb\nc\u0000",
  "...",
  ".a/..b/",
];

test("unusual prefixes remain keys, with valid signatures", async () => {
  const cloud = await startCloud({ keys, answer: () => ({}) });
  for (const object_prefix of odd) {
    const url = await urlOf({ object_prefix });
    const start = "https://events-of-edges.s3.us-east-1.amazonaws.com/";
    assert.ok(url !== undefined && url.startsWith(start), url);
    assert.equal(decodeURIComponent(url.slice(start.length)), object_prefix + name);
    const context = contextFor({ object_storage: cloud.url });
    const receipt = await objectStorage.send({ ...target, object_prefix }, [first], context);
    assert.equal(receipt.failure, undefined);
    assert.equal(cloud.requests.at(-1)?.path, `/events-of-edges/${url.slice(start.length)}`);
  }
  await cloud.close();
  assert.deepEqual(cloud.complaints, []);
});

test("the path segments . and .. and lone surrogates are rejected", async () => {
  for (const object_prefix of ["../", "a/../b/", "./", "a/./", "..//", "\ud800"])
    assert.equal(await urlOf({ object_prefix }), "invalid_object_prefix", object_prefix);
});

test("each event is a line, compressed or not, and the bytes are the same each time", async () => {
  const cloud = await startCloud({ keys, answer: () => ({}) });
  const context = contextFor({ object_storage: cloud.url });
  const events = several(50, { note: "line\nfeed \u2028 é" });
  for (const compression of [true, true, false])
    await objectStorage.send({ ...target, compression }, events, context);
  await cloud.close();
  const [one, repeat, plain] = cloud.requests;
  assert.ok(one && repeat && plain);
  assert.equal(String(plain.body), events.map(({ text }) => `${text}\n`).join(""));
  assert.deepEqual(gunzipSync(one.body), plain.body);
  assert.deepEqual(one.body, repeat.body);
  assert.equal(one.path, repeat.path);
  assert.equal(one.headers["content-type"], "application/gzip");
  assert.equal(one.headers["content-encoding"], undefined);
  assert.equal(plain.headers["content-type"], "application/x-ndjson");
});

test("nothing is sent without events", async () => {
  assert.deepEqual(await objectStorage.send(target, [], contextFor({})), { again: [], rejected: [] });
});

test("batches wait for their size or age", () => {
  assert.deepEqual(objectStorage.holds?.({ ...target, max_file_size: 5_242_880, max_file_age: 300 }), {
    bytes: 5_242_880,
    milliseconds: 300_000,
  });
});

test("S3 errors", async () => {
  for (const [answer, expected] of [
    [xmlError("PermanentRedirect", "", 301), "configuration PermanentRedirect"],
    [{ status: 301, headers: { "x-amz-bucket-region": "eu-west-1" } }, "configuration wrong_region"],
    [
      xmlError("AuthorizationHeaderMalformed", "", 400, { "x-amz-bucket-region": "eu-west-1" }),
      "configuration wrong_region",
    ],
    [xmlError("AuthorizationHeaderMalformed", "", 400), "configuration AuthorizationHeaderMalformed"],
    [xmlError("AccessDenied", "", 403, { "x-amz-bucket-region": "us-east-1" }), "configuration AccessDenied"],
    [xmlError("NoSuchBucket", "", 404), "configuration NoSuchBucket"],
    [{ status: 404 }, "configuration http_404"],
    [xmlError("InvalidRequest", "", 400), "configuration http_400"],
    [{ status: 400 }, "configuration http_400"],
    [xmlError("SlowDown", "", 503), "retry SlowDown"],
    [xmlError("RequestTimeout", "", 400), "retry RequestTimeout"],
    [xmlError("BadDigest", "", 400), "retry BadDigest"],
    [{ status: 500 }, "retry http_500"],
    [{ status: 413 }, "batch http_413"],
    [{ status: 204 }, "configuration http_204"],
  ] as [Answer, string][]) {
    const cloud = await startCloud({ keys, answer: () => answer });
    const { failure } = await objectStorage.send(target, [first], contextFor({ object_storage: cloud.url }));
    await cloud.close();
    assert.equal(`${failure?.class} ${failure?.error.code}`, expected);
    assert.ok(!failure?.error.msg.includes("eu-west-1"));
  }
});
