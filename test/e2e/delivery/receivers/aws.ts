import { createHash } from "node:crypto";
import aws4 from "aws4";
import { type Answer, type Received, type Receiver, startReceiver } from "./http.ts";

/*
 * Receivers that check signatures like AWS does, with an implementation independent of the sender's.
 */

/** A key of the simulated account. */
export interface Key {
  secret: string;
  /** The session token of a temporary key. */
  token?: string;
}

/** The contents of a valid signature. */
export interface Signed {
  accessKeyId: string;
  service: string;
  region: string;
  /** Names of the signed headers. */
  headers: string[];
}

/** A request whose signature is valid. */
export type Verified = Received & { signed: Signed };

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/;

/** Checks a request's signature, the headers that it must cover, and the digests of the body. @throws if they are wrong */
export function verify(request: Received, keys: Record<string, Key>): Signed {
  const given = request.headers.authorization ?? "";
  const [, accessKeyId = "", day = "", region = "", service = "", names = ""] =
    AUTHORIZATION.exec(given) ?? [];
  const key = keys[accessKeyId];
  if (!key) throw new Error(`no such key in "${given}"`);
  const headers = names.split(";");
  for (const name of Object.keys(request.headers))
    if ((name.startsWith("x-amz-") || name === "host" || name === "content-type") && !headers.includes(name))
      throw new Error(`${name} is not signed`);
  const signed = Object.fromEntries(headers.map((name) => [name, String(request.headers[name])]));
  const {
    "x-amz-date": date = "",
    "x-amz-content-sha256": digest,
    "x-amz-checksum-sha256": checksum,
  } = signed;
  if (!date.startsWith(day)) throw new Error(`the scope is of another day than ${date}`);
  if (request.headers["x-amz-security-token"] !== key.token) throw new Error("not the token of this key");
  const hash = createHash("sha256").update(request.body);
  if (checksum !== undefined && checksum !== hash.copy().digest("base64")) throw new Error("wrong checksum");
  if (digest !== undefined && digest !== hash.digest("hex")) throw new Error("wrong digest of the body");
  const signer = new aws4.RequestSigner(
    {
      method: request.method,
      path: request.path,
      headers: signed,
      body: request.body,
      service,
      region,
      doNotModifyHeaders: true,
    },
    { accessKeyId, secretAccessKey: key.secret },
  );
  signer.datetime = date;
  if (signer.authHeader() !== given)
    throw new Error(`expected ${signer.authHeader()}, received ${given}: ${request.method} ${request.path}`);
  return { accessKeyId, service, region, headers };
}

/** The time in a request, in milliseconds since the Unix epoch. */
export const timeOf = ({ headers }: Received): number =>
  Date.parse(String(headers["x-amz-date"]).replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z"));

/** An error in a service's JSON protocol. */
export const jsonError = (code: string, message = "", status = 400, headers = {}): Answer => ({
  status,
  headers: { "Content-Type": "application/x-amz-json-1.1", ...headers },
  body: JSON.stringify({ __type: `com.amazonaws.service#${code}`, message }),
});

/** An error of a service that uses XML. */
export const xmlError = (code: string, message = "", status = 400, headers = {}): Answer => ({
  status,
  headers: { "Content-Type": "text/xml", ...headers },
  body: `<?xml version="1.0"?><ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

/** A success in JSON. */
export const json = (body: unknown): Answer => ({
  headers: { "Content-Type": "application/x-amz-json-1.1" },
  body: JSON.stringify(body),
});

/** The token service's response to `AssumeRole`. */
export const assumed = (accessKeyId: string, { secret, token = "" }: Key, end: number): Answer => ({
  headers: { "Content-Type": "text/xml" },
  body: `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>
    <AssumedRoleUser><AssumedRoleId>AROA:session</AssumedRoleId><Arn>arn:aws:sts::123456789012:assumed-role/events/session</Arn></AssumedRoleUser>
    <Credentials>
      <AccessKeyId>${accessKeyId}</AccessKeyId>
      <SecretAccessKey>${secret}</SecretAccessKey>
      <SessionToken>${token}</SessionToken>
      <Expiration>${new Date(end).toISOString()}</Expiration>
    </Credentials>
  </AssumeRoleResult>
  <ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata>
</AssumeRoleResponse>`,
});

/** A success response with the fields of all four services, and a record for each event. */
export function taken(request: Received): Answer {
  if (request.method === "PUT") return {};
  const body = JSON.parse(String(request.body)) as { Records?: unknown[] };
  return json({
    FailedRecordCount: 0,
    FailedPutCount: 0,
    Records: body.Records?.map(() => ({ SequenceNumber: "4".repeat(56), ShardId: "shardId-000000000000" })),
    RequestResponses: body.Records?.map(() => ({ RecordId: "r".repeat(230) })),
  });
}

export interface Cloud extends Receiver {
  requests: Verified[];
  /** Errors in signatures. */
  complaints: string[];
}

/**
 * Starts a receiver that only accepts signed requests.
 *
 * @param keys the keys of the account, which can change while it runs
 * @param ahead how many milliseconds its clock is ahead; it rejects requests that are more than 5 minutes off, like AWS
 */
export async function startCloud({
  keys,
  ahead = () => 0,
  answer,
}: {
  keys: Record<string, Key>;
  ahead?: () => number;
  answer: (request: Verified, index: number) => Answer | Promise<Answer>;
}): Promise<Cloud> {
  const requests: Verified[] = [];
  const complaints: string[] = [];
  const receiver = await startReceiver(async (request) => {
    const errorResponse = request.method === "PUT" ? xmlError : jsonError;
    const date = { Date: new Date(Date.now() + ahead()).toUTCString() };
    let signed: Signed;
    try {
      signed = verify(request, keys);
    } catch (error) {
      complaints.push(String(error));
      return errorResponse("InvalidSignatureException", String(error), 403, date);
    }
    const verified = { ...request, signed };
    requests.push(verified);
    const late = Date.now() + ahead() - timeOf(request);
    if (Math.abs(late) > 300_000)
      return request.method === "PUT"
        ? xmlError("RequestTimeTooSkewed", "The difference is too large.", 403, date)
        : jsonError(
            "InvalidSignatureException",
            late > 0 ? "Signature expired: …" : "Signature not yet current: …",
            400,
            date,
          );
    return answer(verified, requests.length - 1);
  });
  return { url: receiver.url, close: receiver.close, requests, complaints };
}
