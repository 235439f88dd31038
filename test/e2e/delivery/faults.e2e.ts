import assert from "node:assert/strict";
import { test } from "node:test";
import { ACCESS_KEY_ID, contextFor, keys, several, subjects } from "./given.ts";
import { jsonError, startCloud, taken, timeOf, xmlError } from "./receivers/aws.ts";
import type { Answer } from "./receivers/http.ts";

/*
 * How senders of AWS protocols handle everything that a receiver can do.
 */

const nothing = { again: [], rejected: [] };

for (const { member, send } of subjects()) {
  const error = member === "object_storage" ? xmlError : jsonError;

  /** The receipt for one event if the receiver responds like this. */
  const sendTo = async (answer: Answer) => {
    const cloud = await startCloud({ keys, answer: () => answer });
    try {
      return { receipt: await send(several(1), contextFor({ [member]: cloud.url })), cloud };
    } finally {
      await cloud.close();
    }
  };

  test(`${member}: a signed request is accepted`, async () => {
    const cloud = await startCloud({ keys, answer: taken });
    const receipt = await send(several(3), contextFor({ [member]: cloud.url }));
    await cloud.close();
    assert.deepEqual(cloud.complaints, []);
    assert.deepEqual(receipt, nothing);
    const [request] = cloud.requests;
    assert.equal(cloud.requests.length, 1);
    assert.equal(request?.signed.accessKeyId, ACCESS_KEY_ID);
    assert.equal(request.signed.region, "eu-central-1");
    assert.ok(Math.abs(timeOf(request) - Date.now()) < 5000);
  });

  test(`${member}: a wrong secret`, async () => {
    const cloud = await startCloud({ keys: { [ACCESS_KEY_ID]: { secret: "another" } }, answer: taken });
    const { failure } = await send(several(1), contextFor({ [member]: cloud.url }));
    await cloud.close();
    assert.equal(cloud.complaints.length, 1);
    assert.equal(failure?.class, "configuration");
    assert.equal(failure.error.code, "InvalidSignatureException");
  });

  const outcomes: [code: string, status: number, outcome: string][] = [
    ["ThrottlingException", 400, "retry ThrottlingException"],
    ["SlowDown", 503, "retry SlowDown"],
    ["InternalFailure", 500, "retry InternalFailure"],
    ["SomethingNew", 500, "retry http_500"],
    ["SomethingNew", 429, "retry http_429"],
    ["AccessDeniedException", 400, "configuration AccessDeniedException"],
    ["AccessDenied", 403, "configuration AccessDenied"],
    ["UnrecognizedClientException", 400, "configuration UnrecognizedClientException"],
    ["SomethingNew", 400, "configuration http_400"],
    ["__proto__", 400, "configuration http_400"],
    ["SomethingNew", 413, "batch http_413"],
    ["ExpiredTokenException", 400, "configuration ExpiredTokenException"],
    [
      "ValidationException",
      400,
      `${member === "object_storage" ? "configuration" : "batch"} ValidationException`,
    ],
  ];
  for (const [code, status, outcome] of outcomes)
    test(`${member}: ${status} ${code} is ${outcome}`, async () => {
      const { receipt } = await sendTo(error(code, "the receiver's own words", status));
      const { failure, ...rest } = receipt;
      assert.equal(`${failure?.class} ${failure?.error.code}`, outcome);
      assert.equal(failure?.error.status, status);
      assert.ok(!failure.error.msg.includes("own words") && !failure.error.msg.includes("SomethingNew"));
      assert.deepEqual(rest, nothing);
    });

  test(`${member}: a receiver's message is not repeated`, async () => {
    for (const answer of [
      error("<script>", "leaked", 400),
      error("leaked", "leaked", 503),
      { status: 418, headers: { Leaked: "leaked" }, body: "leaked" },
      { status: 200, body: member === "object_storage" ? "" : "leaked" },
    ])
      assert.ok(!JSON.stringify((await sendTo(answer)).receipt).includes("leaked"));
  });

  test(`${member}: Retry-After is respected`, async () => {
    for (const [given, expected] of [
      ["7", 7000],
      ["86400", 3_600_000],
      ["soon", undefined],
    ] as const) {
      const { receipt } = await sendTo(error("ThrottlingException", "", 400, { "Retry-After": given }));
      assert.equal(receipt.failure?.retryAfter, expected);
    }
  });

  test(`${member}: redirects are not followed`, async () => {
    const { receipt, cloud } = await sendTo({ status: 307, headers: { Location: "/elsewhere" } });
    assert.equal(receipt.failure?.class, "configuration");
    assert.equal(receipt.failure.error.code, "http_307");
    assert.equal(cloud.requests.length + cloud.complaints.length, 1);
  });

  test(`${member}: a reset and a refused connection`, async () => {
    const { receipt } = await sendTo("reset");
    assert.equal(receipt.failure?.class, "retry");
    assert.equal(receipt.failure.error.code, "network");
    const cloud = await startCloud({ keys, answer: taken });
    await cloud.close();
    const refused = await send(several(1), contextFor({ [member]: cloud.url }));
    assert.equal(refused.failure?.error.code, "network");
  });

  test(`${member}: an oversized response is not read to its end`, async () => {
    const body = "x".repeat(10_000_000);
    assert.equal((await sendTo({ status: 503, body })).receipt.failure?.error.code, "http_503");
    const { receipt } = await sendTo({ body });
    if (member === "object_storage") assert.deepEqual(receipt, nothing);
    else assert.equal(receipt.failure?.error.code, "unreadable_response");
  });

  test(`${member}: a success that does not follow the protocol`, async () => {
    if (member === "object_storage") return;
    for (const body of ["", "{}", "[]", "null", "<html></html>", '{"Records":[],"RequestResponses":[]}']) {
      const { receipt } = await sendTo({ body });
      if (member === "cloud_logs" && body.startsWith("{")) assert.deepEqual(receipt, nothing);
      else assert.equal(receipt.failure?.class, "retry", body);
    }
  });

  test(`${member}: a wrong clock is corrected from the target's, for the isolate`, async () => {
    for (const hours of [2, -3, 0]) {
      const cloud = await startCloud({ keys, answer: taken, ahead: () => hours * 3_600_000 });
      const context = contextFor({ [member]: cloud.url });
      assert.deepEqual(await send(several(1), context), nothing);
      assert.deepEqual(await send(several(1), context), nothing);
      await cloud.close();
      assert.deepEqual(cloud.complaints, []);
      assert.equal(cloud.requests.length, 3, `${hours}`);
      const [first, second] = cloud.requests;
      assert.ok(first && second && first.headers.authorization !== second.headers.authorization);
    }
  });

  test(`${member}: a receiver with a false clock is called twice, not more`, async () => {
    const lie = new Date(Date.now() + 90_000_000).toUTCString();
    const cloud = await startCloud({
      keys,
      answer: () => error("RequestTimeTooSkewed", "", 403, { Date: lie }),
    });
    const { failure } = await send(several(1), contextFor({ [member]: cloud.url }));
    assert.equal(failure?.class, "retry");
    assert.equal(failure.error.code, "clock_skew");
    assert.equal(cloud.requests.length, 2);
    // Its time is not remembered.
    await send(several(1), contextFor({ [member]: cloud.url }));
    await cloud.close();
    const third = cloud.requests[2];
    assert.ok(third && Math.abs(timeOf(third) - Date.now()) < 5000);
  });

  test(`${member}: invalid dates`, async () => {
    const { receipt, cloud } = await sendTo(error("RequestTimeTooSkewed", "", 403, { Date: "yesterday" }));
    assert.equal(receipt.failure?.error.code, "clock_skew");
    assert.equal(cloud.requests.length, 1);
  });

  test(`${member}: an override that is not an origin, and an access key id that cannot be in a header`, async () => {
    for (const url of ["nonsense", "http://", "http://127.0.0.1:99999"]) {
      const { failure } = await send(several(1), contextFor({ [member]: url }));
      assert.equal(failure?.class, "configuration", url);
    }
    for (const id of ["", "a\nb", "a/b", "ключ"]) {
      const odd = subjects({ creds: { cloud_access_key_id: id, cloud_secret_access_key: "x" } });
      const { failure } = (await odd
        .find((subject) => subject.member === member)
        ?.send(several(1), contextFor({ [member]: "http://127.0.0.1:1" }))) ?? { failure: undefined };
      assert.equal(failure?.error.code, "invalid_credentials", id);
    }
  });
}

test("no response within 15 seconds", async () => {
  await Promise.all(
    subjects().map(async ({ member, send }) => {
      const cloud = await startCloud({ keys, answer: () => "hang" });
      const started = Date.now();
      const { failure } = await send(several(1), contextFor({ [member]: cloud.url }));
      await cloud.close();
      assert.equal(failure?.class, "retry");
      assert.equal(failure.error.code, "timeout");
      assert.ok(Date.now() - started < 17_000);
    }),
  );
});
