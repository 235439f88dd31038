import { AwsV4Signer } from "aws4fetch";
import { clock } from "../../packages/model/src/clock.ts";
import { type Transport, isFailure, type Reply } from "./call.ts";
import { codeIn } from "./cloud_errors.ts";
import type { SendFailure } from "./sender.ts";

/** An access key, with a session token if it is temporary. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** The location of a service, and the service and region to sign requests for. */
export interface Endpoint {
  /** `https://kinesis.us-east-1.amazonaws.com` */
  origin: string;
  service: string;
  region: string;
}

export interface UnsignedRequest {
  method: "POST" | "PUT";
  endpoint: Endpoint;
  /** Percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** How much of the response is read, in bytes. */
  responseBytes?: number;
}

/** The endpoint of a service at its host, or at the operator's override. */
export const endpointAt = (
  { service, region, host }: { service: string; region: string; host: string },
  override: string | undefined,
): Endpoint => ({
  service,
  region,
  origin: override === undefined ? `https://${host}` : (URL.parse(override)?.origin ?? override),
});

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
  const { endpoint, path } = request;
  const url = URL.parse(endpoint.origin + path);
  if (url?.origin !== endpoint.origin || url.pathname !== path)
    return unusable("invalid_endpoint", "The target's settings do not produce a URL with the expected host.");
  if (!ACCESS_KEY_ID.test(credentials.accessKeyId))
    return unusable(
      "invalid_credentials",
      "The access key id is not valid: expected only letters and digits.",
    );
  const hash = [...(await sha256(request.body))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const attempt = async (time: number) => {
    const { headers, method, endpoint, body, responseBytes } = request;
    const signed = await new AwsV4Signer({
      ...credentials,
      url: url.href,
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": hash },
      body,
      service: endpoint.service,
      region: endpoint.region,
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

const unusable = (code: string, msg: string): SendFailure => ({
  class: "configuration",
  error: { code, status: null, msg },
});

const skewed = ({ status }: Reply): SendFailure => ({
  class: "retry",
  error: { code: "clock_skew", status, msg: "The target rejects the time of the request." },
});
