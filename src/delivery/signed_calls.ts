import { AwsV4Signer } from "aws4fetch";
import { clock } from "../../packages/model/src/clock.ts";
import { codeIn } from "./cloud_errors.ts";
import { isFailure, type Reply, type SendFailure, sendFailure, type Transport } from "./sender.ts";

/** An access key, with a session token if it is temporary. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface UnsignedRequest {
  method: "POST" | "PUT";
  /** `https://kinesis.us-east-1.amazonaws.com`, or the operator's override. */
  origin: string;
  /** The service and region to sign for. */
  service: string;
  region: string;
  /** Percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** How much of the response is read, in bytes. */
  responseBytes?: number;
}

/** Milliseconds by which the cloud's clock is ahead of ours, as far as this isolate knows. */
let offset = 0;

/** The time by the cloud's clock, in milliseconds since the Unix epoch. */
export const cloudNow = (): number => clock.now() + offset;

/** SHA-256 of some bytes. */
export const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const ACCESS_KEY_ID = /^\w{1,128}$/;
const TOO_SKEWED = new Set(["RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture"]);
const SIGNATURE = new Set(["InvalidSignatureException", "SignatureDoesNotMatch"]);

/** True for a response that rejects the time of the request. */
function refusesTime(reply: Reply): boolean {
  const code = codeIn(reply);
  if (code === undefined) return false;
  return TOO_SKEWED.has(code) || (SIGNATURE.has(code) && /expired|not yet current/i.test(reply.text));
}

/**
 * Sends a request signed with Signature Version 4. If the service rejects the request's time, the isolate's offset is set from
 * the `Date` of the response, and the request is repeated once.
 */
export async function callSigned(
  request: UnsignedRequest,
  credentials: Credentials,
  call: Transport,
): Promise<Reply | SendFailure> {
  const { origin, path, service, region, method, headers, body, responseBytes } = request;
  const url = URL.parse(origin + path);
  if (url?.origin !== origin || url.pathname !== path)
    return sendFailure(
      "configuration",
      "invalid_endpoint",
      "The target's settings do not produce a URL with the expected host.",
    );
  if (!ACCESS_KEY_ID.test(credentials.accessKeyId))
    return sendFailure(
      "configuration",
      "invalid_credentials",
      "The access key id is not valid: expected only letters and digits.",
    );
  const hash = Array.from(await sha256(body), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const attempt = async (time: number) => {
    const signed = await new AwsV4Signer({
      ...credentials,
      url: url.href,
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": hash },
      body,
      service,
      region,
      datetime: new Date(time).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      allHeaders: true,
    }).sign();
    return call(url.href, { method, headers: signed.headers, body }, responseBytes);
  };
  const reply = await attempt(cloudNow());
  if (isFailure(reply) || !refusesTime(reply)) return reply;
  const measured = Date.parse(reply.headers.get("Date") ?? "") - clock.now();
  if (Number.isNaN(measured)) return skewed(reply);
  const second = await attempt(clock.now() + measured);
  if (isFailure(second)) return second;
  if (refusesTime(second)) return skewed(second);
  offset = measured;
  return second;
}

const skewed = ({ status }: Reply): SendFailure =>
  sendFailure("retry", "clock_skew", "The target rejects the time of the request.", status);
