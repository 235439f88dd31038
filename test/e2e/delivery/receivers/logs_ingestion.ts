import { gunzipSync } from "node:zlib";
import { type Answer, type Receiver, type Received, startReceiver } from "./http.ts";

const CALL_BYTES = 1_000_000;

/** Entra's token service and a data collection endpoint, at one origin. */
export interface Azure extends Receiver {
  /** Issued tokens that are still valid. */
  valid: Set<string>;
  /** The lifetime of the next tokens, in seconds. */
  expiresIn: number;
  /** Requests for tokens. */
  issued: () => Received[];
  /** Requests with events. */
  ingested: () => Received[];
}

export const plainOf = ({ headers, body }: Received): Buffer =>
  headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;

/** @param ingest returns the response to a valid call; default: 204 */
export async function startAzure(
  secret: string,
  ingest: (request: Received) => Answer = () => ({ status: 204 }),
): Promise<Azure> {
  const valid = new Set<string>();
  const azure = { valid, expiresIn: 3_600 };
  let count = 0;
  const token = ({ body }: Received): Answer => {
    const form = new URLSearchParams(body.toString());
    if (form.get("client_secret") !== secret)
      return { status: 401, body: JSON.stringify({ error: "invalid_client", error_description: secret }) };
    count += 1;
    valid.add(`token-${count}`);
    const access_token = `token-${count}`;
    return {
      body: JSON.stringify({ token_type: "Bearer", expires_in: azure.expiresIn, access_token }),
    };
  };
  const receiver = await startReceiver((request): Answer => {
    if (request.path.endsWith("/oauth2/v2.0/token")) return token(request);
    if (!valid.has(request.headers.authorization?.replace("Bearer ", "") ?? "")) return { status: 401 };
    const plain = plainOf(request);
    if (request.body.byteLength > CALL_BYTES || plain.byteLength > CALL_BYTES) return { status: 413 };
    return ingest(request);
  });
  const isToken = ({ path }: Received): boolean => path.endsWith("/token");
  return Object.assign(azure, receiver, {
    issued: () => receiver.requests.filter(isToken),
    ingested: () => receiver.requests.filter((request) => !isToken(request)),
  });
}
