import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { FirehoseClient, PutRecordBatchCommand } from "@aws-sdk/client-firehose";
import { KinesisClient, PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { ACCESS_KEY_ID, contextFor, DESTINATION, keys, REGION, SECRET, several, subjects } from "../given.ts";
import { assumed, jsonError, startCloud, taken, type Verified } from "../receivers/aws.ts";
import type { Answer } from "../receivers/http.ts";

/*
 * Senders send the same requests as the official clients, except for the headers in `ours` and `theirs`.
 */

const events = several(3, { note: "déjà vu \u2028 𝄞" });
const [first] = events;
assert.ok(first);

const options = (endpoint: string) => ({
  endpoint,
  region: REGION,
  credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET },
  maxAttempts: 1,
});

/** Headers that only the official clients send: they count attempts and describe the client. */
const theirs = [
  "amz-sdk-invocation-id",
  "amz-sdk-request",
  "user-agent",
  "x-amz-user-agent",
  "content-length",
];

/** Headers of the HTTP clients, and signed headers that depend on the time or the order of fields. */
const http = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "connection",
  "content-length",
  "sec-fetch-mode",
  "user-agent",
  "x-amz-content-sha256",
  "x-amz-date",
]);

const headersOf = ({ headers }: Verified, besides: string[] = []) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !http.has(name) && !besides.includes(name)));

/** The parts that must be equal: everything except headers that always differ. */
const compared = (request: Verified | undefined, besides: string[], body: (bytes: Buffer) => unknown) => {
  assert.ok(request);
  const { accessKeyId, service, region } = request.signed;
  return {
    method: request.method,
    path: request.path,
    signed: { accessKeyId, service, region },
    headers: headersOf(request, besides),
    body: body(request.body),
  };
};

const parsed = (bytes: Buffer): unknown => JSON.parse(String(bytes));

const senders = Object.fromEntries(subjects().map((subject) => [subject.member, subject]));

/** The requests of a sender and those of an official client, to the same receiver. */
async function both(
  member: string,
  official: (endpoint: string) => Promise<unknown>,
  answer: (request: Verified, index: number) => Answer = taken,
): Promise<{ own: Verified[]; theirs: Verified[] }> {
  const cloud = await startCloud({ keys, answer });
  try {
    assert.deepEqual(await senders[member]?.send(events, contextFor({ [member]: cloud.url })), {
      again: [],
      rejected: [],
    });
    const own = cloud.requests.splice(0);
    await official(cloud.url);
    assert.deepEqual(cloud.complaints, []);
    return { own, theirs: cloud.requests };
  } finally {
    await cloud.close();
  }
}

// The Kinesis client uses HTTP/2 unless it has another client's handler.
const { requestHandler } = new FirehoseClient({ region: REGION }).config;

test("PutRecords", async () => {
  const { own, theirs: official } = await both("cloud_stream", (endpoint) =>
    new KinesisClient({ ...options(endpoint), requestHandler }).send(
      new PutRecordsCommand({
        StreamARN: `arn:aws:kinesis:${REGION}:123456789012:stream/events`,
        StreamName: "events",
        Records: events.map(({ text, envelope }) => ({
          Data: new TextEncoder().encode(text),
          PartitionKey: envelope.object.id,
        })),
      }),
    ),
  );
  assert.equal(own.length, 1);
  assert.deepEqual(compared(own[0], [], parsed), compared(official[0], theirs, parsed));
});

test("PutRecordBatch", async () => {
  const { own, theirs: official } = await both("cloud_delivery_stream", (endpoint) =>
    new FirehoseClient(options(endpoint)).send(
      new PutRecordBatchCommand({
        DeliveryStreamName: "events",
        Records: events.map(({ text }) => ({ Data: new TextEncoder().encode(`${text}\n`) })),
      }),
    ),
  );
  assert.equal(own.length, 1);
  assert.deepEqual(compared(own[0], [], parsed), compared(official[0], theirs, parsed));
});

test("PutLogEvents and CreateLogStream", async () => {
  const stream = { logGroupName: "/edge/events", logStreamName: DESTINATION };
  const { own, theirs: official } = await both(
    "cloud_logs",
    async (endpoint) => {
      const client = new CloudWatchLogsClient(options(endpoint));
      const put = new PutLogEventsCommand({
        ...stream,
        logEvents: events.map(({ at, text }) => ({ timestamp: at, message: text })),
      });
      await assert.rejects(client.send(put), { name: "ResourceNotFoundException" });
      await client.send(new CreateLogStreamCommand(stream));
      await client.send(put);
    },
    (request, index) => (index === 0 ? jsonError("ResourceNotFoundException") : taken(request)),
  );
  assert.deepEqual(
    own.map((request) => compared(request, [], parsed)),
    official.map((request) => compared(request, theirs, parsed)),
  );
  assert.deepEqual(
    own.map(({ headers }) => headers["x-amz-target"]),
    ["Logs_20140328.PutLogEvents", "Logs_20140328.CreateLogStream", "Logs_20140328.PutLogEvents"],
  );
});

test("PutObject", async () => {
  const hour = new Date(first.at).toISOString().slice(0, 13).replaceAll(/[-T]/g, "/");
  const { own, theirs: official } = await both("object_storage", (endpoint) =>
    new S3Client({ ...options(endpoint), forcePathStyle: true }).send(
      new PutObjectCommand({
        Bucket: "events-of-edges",
        Key: `edge/${hour}/${DESTINATION}-${first.envelope.event_id}.json.gz`,
        ContentType: "application/gzip",
        ChecksumAlgorithm: "SHA256",
        Body: gzipSync(events.map(({ text }) => `${text}\n`).join("")),
      }),
    ),
  );
  const lines = (bytes: Buffer) => String(gunzipSync(bytes)).split("\n");
  // The official client puts the operation in the query, and sends the checksum algorithm in addition to the checksum.
  const expected = compared(
    official[0],
    [...theirs, "x-amz-sdk-checksum-algorithm", "x-amz-checksum-sha256"],
    lines,
  );
  assert.equal(own.length, 1);
  assert.deepEqual(compared(own[0], ["x-amz-checksum-sha256"], lines), {
    ...expected,
    path: expected.path.replace("?x-id=PutObject", ""),
  });
  assert.ok(official[0]?.headers["x-amz-checksum-sha256"]);
  assert.equal(own[0]?.signed.headers.includes("x-amz-checksum-sha256"), true);
});

test("AssumeRole", async () => {
  const RoleArn = "arn:aws:iam::123456789012:role/service/events+1";
  const ExternalId = "installation:1/a=b";
  const temporary = { secret: "temporary secret", token: "dG9rZW4+/w==" };
  const cloud = await startCloud({
    keys,
    answer: () => assumed("ASIATEMPORARY", temporary, Date.now() + 3_600_000),
  });
  const target = await startCloud({ keys: { ASIATEMPORARY: temporary }, answer: taken });
  try {
    const sender = subjects({ role: { role_arn: RoleArn } }).find(({ member }) => member === "cloud_stream");
    const receipt = await sender?.send(
      events,
      contextFor(
        { cloud_stream: target.url, sts: cloud.url },
        { externalId: ExternalId, cloudKey: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET } },
      ),
    );
    assert.deepEqual(receipt, { again: [], rejected: [] });
    const { Credentials } = await new STSClient(options(cloud.url)).send(
      new AssumeRoleCommand({ RoleArn, ExternalId, RoleSessionName: DESTINATION, DurationSeconds: 3600 }),
    );
    // The official client can read the receiver's response, too.
    assert.deepEqual(
      [Credentials?.AccessKeyId, Credentials?.SecretAccessKey, Credentials?.SessionToken],
      ["ASIATEMPORARY", temporary.secret, temporary.token],
    );
    assert.deepEqual([...cloud.complaints, ...target.complaints], []);
    const form = (bytes: Buffer) => Object.fromEntries(new URLSearchParams(String(bytes)));
    const [own, official] = cloud.requests;
    assert.deepEqual(compared(own, [], form), compared(official, theirs, form));
    assert.equal(target.requests[0]?.signed.accessKeyId, "ASIATEMPORARY");
  } finally {
    await cloud.close();
    await target.close();
  }
});
