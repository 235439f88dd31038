import type { StoredCloudAuth } from "../db/column_types.ts";
import { type CloudRegion, problemOfRole } from "./arn.ts";
import { failureOf } from "./cloud_errors.ts";
import { isFailure, type SendContext, type SendFailure, sendFailure } from "./sender.ts";
import { callSigned, cloudNow, type Credentials } from "./signed_calls.ts";

/** How long before their end temporary credentials are renewed, in milliseconds. */
const LEEWAY = 300_000;

/** How many temporary credentials an isolate keeps. */
const MOST = 100;

interface TemporaryCredentials {
  credentials: Credentials;
  /** When the credentials are renewed: milliseconds since the Unix epoch, by the cloud's clock. */
  until: number;
}

/** Temporary credentials by role, external id and token service. */
const kept = new Map<string, TemporaryCredentials>();

const encoder = new TextEncoder();

/**
 * The credentials to call a target with: its own key, or temporary credentials of its role, which are cached until 5 minutes
 * before they expire.
 */
export async function credentialsFor(
  { role, creds }: StoredCloudAuth,
  region: CloudRegion,
  context: SendContext,
): Promise<Credentials | SendFailure> {
  if (creds)
    return { accessKeyId: creds.cloud_access_key_id, secretAccessKey: creds.cloud_secret_access_key };
  if (!role)
    return sendFailure("configuration", "no_credentials", "The target has neither a key nor a role.");
  const { cloudKey, externalId, endpoints } = context.settings;
  const problem = problemOfRole(role.role_arn, region.partition);
  if (problem) return problem;
  if (!cloudKey)
    return sendFailure(
      "configuration",
      "no_cloud_key",
      "This service has no key to assume roles with: its operator must set CLOUD_ACCESS_KEY_ID and CLOUD_SECRET_ACCESS_KEY.",
    );
  const host = `sts.${region.region}.${region.suffix}`;
  const key = JSON.stringify([role.role_arn, externalId, endpoints["sts"] ?? host, cloudKey.accessKeyId]);
  const found = kept.get(key);
  if (found && cloudNow() < found.until) return found.credentials;
  const assumed = await assumeRole(role.role_arn, cloudKey, region.region, host, context);
  if (isFailure(assumed)) return assumed;
  kept.delete(key);
  kept.set(key, assumed);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
  return assumed.credentials;
}

/** Drops temporary credentials that were rejected. */
export function forget(credentials: Credentials): void {
  for (const [key, entry] of kept) if (entry.credentials === credentials) kept.delete(key);
}

async function assumeRole(
  RoleArn: string,
  cloudKey: Credentials,
  region: string,
  host: string,
  { destinationId, settings: { endpoints, externalId }, call }: SendContext,
): Promise<TemporaryCredentials | SendFailure> {
  const form = new URLSearchParams({
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn,
    RoleSessionName: destinationId,
    DurationSeconds: "3600",
    ...(externalId !== undefined && { ExternalId: externalId }),
  });
  const reply = await callSigned(
    {
      method: "POST",
      origin: endpoints["sts"] ?? `https://${host}`,
      service: "sts",
      region,
      path: "/",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: encoder.encode(form.toString()),
    },
    cloudKey,
    call,
  );
  if (isFailure(reply)) return reply;
  if (reply.status !== 200)
    return inRole(failureOf(reply, { permission: "sts:AssumeRole", judgesEvents: false }));
  const accessKeyId = elementIn(reply.text, "AccessKeyId");
  const secretAccessKey = elementIn(reply.text, "SecretAccessKey");
  const sessionToken = elementIn(reply.text, "SessionToken");
  const end = Date.parse(elementIn(reply.text, "Expiration"));
  if (!accessKeyId || !secretAccessKey || !TOKEN.test(sessionToken) || Number.isNaN(end))
    return sendFailure(
      "retry",
      "unreadable_response",
      "The token service responded without credentials.",
      200,
    );
  return { credentials: { accessKeyId, secretAccessKey, sessionToken }, until: end - LEEWAY };
}

const TOKEN = /^[\w+/=-]+$/;

/** The text of an XML element that contains only text; "" if there is no such element. */
const elementIn = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<&]*)</${name}>`).exec(xml)?.[1] ?? "";

/** A failure, as a failure to assume the role. */
function inRole(failure: SendFailure): SendFailure {
  const { error } = failure;
  const msg =
    error.code === "AccessDenied"
      ? "The role cannot be assumed: its trust policy must name this service's account and external id."
      : `The role could not be assumed. ${error.msg}`;
  return { ...failure, error: { ...error, msg } };
}
