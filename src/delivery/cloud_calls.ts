import type * as z from "zod";
import { parsedJson } from "../../packages/model/src/json.ts";
import type { StoredCloudAuth } from "../db/column_types.ts";
import type { CloudRegion } from "./arn.ts";
import { credentialsFor, forget } from "./cloud_credentials.ts";
import { ELSEWHERE, failureOf, isTokenExpired, type Purpose } from "./cloud_errors.ts";
import {
  failed,
  isFailure,
  type OutgoingEvent,
  type Receipt,
  type Reply,
  type SendContext,
  type SendFailure,
  sendFailure,
} from "./sender.ts";
import { callSigned, type UnsignedRequest } from "./signed_calls.ts";

const encoder = new TextEncoder();

/** An action of a service's JSON protocol, for one target. */
interface CloudAction<Result> {
  auth: StoredCloudAuth;
  region: CloudRegion;
  service: "kinesis" | "firehose" | "logs";
  /** The target's field, under which the operator can override the endpoint. */
  member: string;
  /** As in `X-Amz-Target`: `Kinesis_20131202`. */
  version: string;
  /** `PutRecords` */
  name: string;
  body: object;
  /** The schema of a successful response. */
  result: z.ZodType<Result>;
  /** How much of the response is read, in bytes. */
  responseBytes?: number;
}

/** Calls an action: a POST of JSON 1.1. */
export async function act<Result extends object>(
  { auth, region, service, member, version, name, body, result, responseBytes }: CloudAction<Result>,
  context: SendContext,
): Promise<Result | SendFailure> {
  const host = `${service}.${region.region}.${region.suffix}`;
  const reply = await callCloud(
    {
      method: "POST",
      origin: context.settings.endpoints[member] ?? `https://${host}`,
      service,
      region: region.region,
      path: "/",
      headers: { "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": `${version}.${name}` },
      body: encoder.encode(JSON.stringify(body)),
      ...(responseBytes !== undefined && { responseBytes }),
    },
    { auth, region, purpose: { permission: `${service}:${name}`, judgesEvents: true } },
    context,
  );
  if (isFailure(reply)) return reply;
  const read = result.safeParse(parsedJson(reply.text));
  return read.success ? read.data : UNREADABLE;
}

/** The failure for a success that does not say which events were accepted. */
export const UNREADABLE = sendFailure(
  "retry",
  "unreadable_response",
  "The target responded with status 200, but not in its protocol.",
  200,
);

/** Makes a signed request with the credentials of a target. Anything but status 200 is a failure. */
export async function callCloud(
  request: UnsignedRequest,
  { auth, region, purpose }: { auth: StoredCloudAuth; region: CloudRegion; purpose: Purpose },
  context: SendContext,
): Promise<Reply | SendFailure> {
  const credentials = await credentialsFor(auth, region, context);
  if (isFailure(credentials)) return credentials;
  const reply = await callSigned(request, credentials, context.call);
  if (isFailure(reply) || reply.status === 200) return reply;
  const otherRegion = reply.headers.get("X-Amz-Bucket-Region");
  if (otherRegion !== null && otherRegion !== region.region)
    return sendFailure("configuration", "wrong_region", ELSEWHERE, reply.status);
  const failure = failureOf(reply, purpose);
  if (!isTokenExpired(failure) || credentials.sessionToken === undefined) return failure;
  forget(credentials);
  return { ...failure, class: "retry" };
}

/** Turns a receipt into a failure if every event has to be sent again. */
export const receiptOf = (receipt: Receipt, events: OutgoingEvent[]): Receipt =>
  receipt.againError && receipt.again.length === events.length
    ? failed({ class: "retry", error: receipt.againError })
    : receipt;
