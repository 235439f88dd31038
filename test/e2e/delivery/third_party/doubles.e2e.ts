import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { FirehoseClient } from "@aws-sdk/client-firehose";
import {
  CreateStreamCommand,
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
} from "@aws-sdk/client-kinesis";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import kinesalite from "kinesalite";
import S3rver from "s3rver";
import { cloudStream } from "../../../../src/delivery/cloud_streams.ts";
import { objectStorage } from "../../../../src/delivery/object_storage.ts";
import { listen } from "../../support/ports.ts";
import { contextFor, creds, outgoing, several } from "../given.ts";

/*
 * Third-party implementations of the services accept what senders send, and official clients read it back.
 */

const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
const region = "us-east-1";

test("kinesalite", async () => {
  const server = kinesalite({ createStreamMs: 0 });
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  // The Kinesis client uses HTTP/2 unless it has another client's handler.
  const { requestHandler } = new FirehoseClient({ region }).config;
  const client = new KinesisClient({ endpoint, region, credentials, requestHandler });
  try {
    await client.send(new CreateStreamCommand({ StreamName: "events", ShardCount: 1 }));
    const describe = () => client.send(new DescribeStreamCommand({ StreamName: "events" }));
    while ((await describe()).StreamDescription?.StreamStatus !== "ACTIVE");

    const target = { auth: creds, stream_arn: "arn:aws:kinesis:us-east-1:000000000000:stream/events" };
    const context = contextFor({ cloud_stream: endpoint });
    const events = [...several(20, { note: "é日𝄞" }), outgoing(21, { note: "x".repeat(900_000) })];
    assert.deepEqual(await cloudStream.send(target, events, context), { again: [], rejected: [] });

    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({
        StreamName: "events",
        ShardId: "shardId-000000000000",
        ShardIteratorType: "TRIM_HORIZON",
      }),
    );
    const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
    assert.deepEqual(
      Records.map(({ Data, PartitionKey }) => [PartitionKey, new TextDecoder().decode(Data)]),
      events.map(({ envelope, text }) => [envelope.object.id, text]),
    );

    const missing = { ...target, stream_arn: "arn:aws:kinesis:us-east-1:000000000000:stream/none" };
    const { failure } = await cloudStream.send(missing, events, context);
    assert.equal(`${failure?.class} ${failure?.error.code}`, "configuration ResourceNotFoundException");

    const odd = await cloudStream.send(
      target,
      Array.from({ length: 501 }, (_, seq) => outgoing(seq)),
      context,
    );
    assert.equal(`${odd.failure?.class} ${odd.failure?.error.code}`, "batch ValidationException");
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
});

test("s3rver", async () => {
  const directory = mkdtempSync(join(tmpdir(), "edge-configuration-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "events.of-edges" }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  try {
    const target = {
      auth: { creds: { cloud_access_key_id: "S3RVER", cloud_secret_access_key: "S3RVER" } },
      bucket_arn: "arn:aws:s3:::events.of-edges",
      region,
      object_prefix: "é dge+1/!'()*/",
      compression: true,
      max_file_size: 1024,
      max_file_age: 10,
    };
    const context = contextFor({ object_storage: endpoint });
    const events = several(20, { at: Date.UTC(2026, 0, 2, 3), note: "é日𝄞" });
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual(await objectStorage.send(target, events, context), { again: [], rejected: [] });

    const Bucket = "events.of-edges";
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const [file] = Contents;
    // A retry overwrote its own file.
    assert.equal(Contents.length, 1);
    assert.ok(file?.Key !== undefined && file.Key.startsWith(`${target.object_prefix}2026/01/02/03/ed_`));
    const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key: file.Key }));
    assert.equal(ContentType, "application/gzip");
    const bytes = await Body?.transformToByteArray();
    assert.equal(String(gunzipSync(bytes ?? "")), events.map(({ text }) => `${text}\n`).join(""));

    const missing = { ...target, bucket_arn: "arn:aws:s3:::none-of-these" };
    const { failure } = await objectStorage.send(missing, events, context);
    assert.equal(`${failure?.class} ${failure?.error.code}`, "configuration NoSuchBucket");
  } finally {
    client.destroy();
    await server.close();
    rmSync(directory, { recursive: true });
  }
});
