import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import { bundle } from "../../bench/bundle.ts";
import { ACCESS_KEY_ID, contextFor, keys, SECRET, several, subjects } from "./given.ts";
import { assumed, startCloud, taken } from "./receivers/aws.ts";

/*
 * The senders in workerd, as deployed. Each sends once with its own key and once as a role.
 */

const worker = `
  import { subjects } from "./test/e2e/delivery/given.ts";
  import { callerWithin } from "./src/delivery/call.ts";
  export default {
    async fetch(request) {
      const { member, auth, events, context } = await request.json();
      const sender = subjects(auth).find((subject) => subject.member === member);
      return Response.json(await sender.send(events, { ...context, call: callerWithin(() => true) }));
    },
  };
`;

test("senders work in workerd", async () => {
  const { text } = await bundle({ text: worker });
  const [, compatibilityDate = ""] =
    /^compatibility_date = "(.*)"$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
  const temporary = { secret: "temporary secret", token: "token/+=" };
  const cloud = await startCloud({
    keys: { ...keys, ASIATEMPORARY: temporary },
    // So far ahead that signatures are rejected: the first response corrects the clock.
    ahead: () => 600_000,
    answer: (request) =>
      request.signed.service === "sts"
        ? assumed("ASIATEMPORARY", temporary, Date.now() + 4_200_000)
        : taken(request),
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: "worker.mjs", contents: text }],
      // The test helpers use Buffer.
      compatibilityFlags: ["nodejs_compat"],
      compatibilityDate,
      host: "127.0.0.1",
      port: 0,
      log: new NoOpLog(),
    }),
  );
  try {
    const endpoints = Object.fromEntries(
      ["sts", ...subjects().map(({ member }) => member)].map((name) => [name, cloud.url]),
    );
    const context = contextFor(endpoints, {
      cloudKey: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET },
      externalId: "installation-1",
    });
    const events = several(500, { note: "é日𝄞".repeat(100) });
    for (const auth of [
      { creds: { cloud_access_key_id: ACCESS_KEY_ID, cloud_secret_access_key: SECRET } },
      { role: { role_arn: "arn:aws:iam::123456789012:role/events" } },
    ])
      for (const { member } of subjects()) {
        const response = await miniflare.dispatchFetch("http://worker/", {
          method: "POST",
          body: JSON.stringify({ member, auth, events, context }),
        });
        const answer = await response.text();
        assert.deepEqual(JSON.parse(answer), { again: [], rejected: [] }, answer.slice(0, 500));
      }
    assert.deepEqual(cloud.complaints, []);
    assert.deepEqual(
      cloud.requests.map(({ signed }) => `${signed.service} ${signed.accessKeyId}`),
      [
        // The time is rejected, and the clock is corrected.
        `kinesis ${ACCESS_KEY_ID}`,
        ...["kinesis", "firehose", "logs", "s3"].map((service) => `${service} ${ACCESS_KEY_ID}`),
        `sts ${ACCESS_KEY_ID}`,
        ...["kinesis", "firehose", "logs", "s3"].map((service) => `${service} ASIATEMPORARY`),
      ],
    );
    const lines = events.map(({ text }) => `${text}\n`).join("");
    assert.equal(String(gunzipSync(cloud.requests.at(-1)?.body ?? "")), lines);
  } finally {
    await miniflare.dispose();
    await cloud.close();
  }
});
