import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBucket, parseResource, problemOfRole } from "../../../src/delivery/arn.ts";
import { cloudStream } from "../../../src/delivery/cloud_streams.ts";
import { isFailure } from "../../../src/delivery/sender.ts";
import { contextFor, creds, several } from "./given.ts";

const of = (service: "kinesis" | "firehose" | "logs", arn: string) => {
  const result = parseResource("stream_arn", arn, service);
  if (!isFailure(result)) return result;
  assert.equal(result.class, "configuration");
  assert.equal(result.error.code, "invalid_stream_arn");
  assert.match(result.error.msg, /^stream_arn cannot be used: .+\. Expected: arn:aws:.+\.$/);
  return undefined;
};

test("ARNs of all partitions", () => {
  for (const [partition, region, suffix] of [
    ["aws", "us-east-1", "amazonaws.com"],
    ["aws", "ap-southeast-7", "amazonaws.com"],
    ["aws", "mx-central-1", "amazonaws.com"],
    ["aws-cn", "cn-northwest-1", "amazonaws.com.cn"],
    ["aws-us-gov", "us-gov-west-1", "amazonaws.com"],
    ["aws-eusc", "eusc-de-east-1", "amazonaws.eu"],
  ])
    assert.deepEqual(of("kinesis", `arn:${partition}:kinesis:${region}:123456789012:stream/a.b_c-D`), {
      partition,
      region,
      suffix,
      name: "a.b_c-D",
    });
});

test("the resources of each service", () => {
  const start = "us-east-1:123456789012";
  assert.equal(of("firehose", `arn:aws:firehose:${start}:deliverystream/x`)?.name, "x");
  assert.equal(of("logs", `arn:aws:logs:${start}:log-group:/a/b#c.d`)?.name, "/a/b#c.d");
  assert.equal(of("logs", `arn:aws:logs:${start}:log-group:a:*`)?.name, "a");
  for (const [service, rest] of [
    ["logs", "log-group:a:*:*"],
    ["logs", "log-group:a:log-stream:b"],
    ["logs", "log-group:a*"],
    ["logs", "log-group:"],
    ["logs", `log-group:${"a".repeat(513)}`],
    ["kinesis", "stream/a:*"],
    ["kinesis", "stream/"],
    ["kinesis", "stream/../a"],
    ["kinesis", "stream/a/consumer/b:1"],
    ["kinesis", "stream:a"],
    ["kinesis", "deliverystream/a"],
    ["kinesis", `stream/${"a".repeat(129)}`],
    ["kinesis", "stream/ä"],
    ["kinesis", "stream/a\n"],
    ["firehose", "stream/a"],
    ["firehose", `deliverystream/${"a".repeat(65)}`],
  ] as const)
    assert.equal(of(service, `arn:aws:${service}:${start}:${rest}`), undefined, rest);
});

test("regions, services and accounts that would change the host", () => {
  for (const arn of [
    "",
    "arn",
    "arn:aws",
    "ARN:aws:kinesis:us-east-1:123456789012:stream/a",
    " arn:aws:kinesis:us-east-1:123456789012:stream/a",
    "urn:aws:kinesis:us-east-1:123456789012:stream/a",
    "arn:cloud:kinesis:us-east-1:123456789012:stream/a",
    "arn:__proto__:kinesis:us-east-1:123456789012:stream/a",
    "arn:aws-iso:kinesis:us-iso-east-1:123456789012:stream/a",
    "arn:aws:firehose:us-east-1:123456789012:stream/a",
    "arn:aws:kinesis.evil:us-east-1:123456789012:stream/a",
    "arn:aws:kinesis::123456789012:stream/a",
    "arn:aws:kinesis:us-east:123456789012:stream/a",
    "arn:aws:kinesis:US-EAST-1:123456789012:stream/a",
    "arn:aws:kinesis:cn-north-1:123456789012:stream/a",
    "arn:aws-cn:kinesis:us-east-1:123456789012:stream/a",
    "arn:aws:kinesis:us-gov-west-1:123456789012:stream/a",
    "arn:aws:kinesis:us-east-1.evil.example/:123456789012:stream/a",
    "arn:aws:kinesis:evil.example#us-east-1:123456789012:stream/a",
    "arn:aws:kinesis:us-east-1@evil.example:123456789012:stream/a",
    "arn:aws:kinesis:us-east-1\n:123456789012:stream/a",
    "arn:aws:kinesis:us-east-1::stream/a",
    "arn:aws:kinesis:us-east-1:12345678901:stream/a",
    "arn:aws:kinesis:us-east-1:١٢٣٤٥٦٧٨٩٠١٢:stream/a",
    "arn:aws:kinesis:us-east-1:123456789012",
  ])
    assert.equal(of("kinesis", arn), undefined, arn);
});

test("buckets", () => {
  const name = (arn: string, region = "us-east-1") => {
    const result = parseBucket(arn, region);
    return isFailure(result) ? result.error.code : result.name;
  };
  assert.equal(name("arn:aws:s3:::bucket"), "bucket");
  assert.equal(name("arn:aws:s3:::my.bucket-1"), "my.bucket-1");
  assert.equal(name("arn:aws-cn:s3:::bucket", "cn-north-1"), "bucket");
  for (const rest of [
    "",
    "ab",
    "Bucket",
    "bucket/",
    "bucket/key",
    "a..b",
    "..",
    ".abc",
    "abc-",
    "a_b",
    "a".repeat(64),
    "bücket",
    "a:b",
    "evil.example/",
    "evil.example#",
  ])
    assert.equal(name(`arn:aws:s3:::${rest}`), "invalid_bucket_arn", rest);
  for (const arn of [
    "bucket",
    "arn:aws:s3:us-east-1::bucket",
    "arn:aws:s3::123456789012:bucket",
    "arn:aws:s3:us-east-1:123456789012:accesspoint/a",
    "arn:aws:sqs:::bucket",
    "arn:minio:s3:::bucket",
  ])
    assert.equal(name(arn), "invalid_bucket_arn", arn);
  for (const region of ["", "us-east-1.evil.example", "cn-north-1", "us-gov-west-1", "auto"])
    assert.equal(name("arn:aws:s3:::bucket", region), "invalid_region", region);
});

test("roles", () => {
  const code = (arn: string, partition = "aws") => problemOfRole(arn, partition)?.error.code;
  assert.equal(code("arn:aws:iam::123456789012:role/events"), undefined);
  assert.equal(code("arn:aws:iam::123456789012:role/service/a/b+c=d,e.f@g-h_i"), undefined);
  assert.equal(code("arn:aws-cn:iam::123456789012:role/events", "aws-cn"), undefined);
  for (const arn of [
    "",
    "events",
    "arn:aws-cn:iam::123456789012:role/events",
    "arn:aws:sts::123456789012:assumed-role/events/session",
    "arn:aws:iam::123456789012:user/events",
    "arn:aws:iam::123456789012:role/",
    "arn:aws:iam::123456789012:role/a b",
    "arn:aws:iam::1:role/a",
    "arn:aws:iam:us-east-1:123456789012:role/a",
    `arn:aws:iam::123456789012:role/${"a".repeat(65)}`,
    `arn:aws:iam::123456789012:role/${"a/".repeat(2000)}b`,
  ])
    assert.equal(code(arn), "invalid_role_arn", arn);
});

test("nothing is called for an unusable ARN", async () => {
  const context = contextFor({ cloud_stream: "http://127.0.0.1:1" });
  const receipt = await cloudStream.send(
    { auth: creds, stream_arn: "arn:cloud:stream:local:0:stream/events" },
    several(2),
    { ...context, call: () => assert.fail("called") },
  );
  assert.equal(receipt.failure?.class, "configuration");
  assert.match(receipt.failure.error.msg, /its partition is not one of aws, aws-cn, aws-us-gov, aws-eusc/);
});
