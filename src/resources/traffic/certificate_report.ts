import * as z from "zod";
import {
  CERTIFICATE_HOST,
  CERTIFICATE_HOST_LENGTH,
  CERTIFICATES_BYTES,
  certificateSources,
  ISSUER_BYTES,
  MOST_CERTIFICATES,
  MOST_HOSTS,
  SERIAL,
  type ServedCertificate,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { storedInstant } from "../../../packages/model/src/values/instants.ts";
import { byteLength, requestObject, string } from "../../../packages/model/src/values/request_schemas.ts";
import { visible } from "../../../packages/model/src/values/visible_text.ts";

/*
 * The certificates in an agent's status.
 */

const certificate = () =>
  requestObject({
    hosts: z
      .array(
        string(CERTIFICATE_HOST_LENGTH).regex(
          CERTIFICATE_HOST,
          "Expected a host name in lower case, a wildcard or an address.",
        ),
      )
      .max(MOST_HOSTS)
      .describe("Its subject alternative names. A wildcard covers one label."),
    not_before: storedInstant().describe("When it becomes valid (RFC 3339)."),
    not_after: storedInstant().describe("When it ends (RFC 3339)."),
    issuer: string(ISSUER_BYTES)
      .transform(visible)
      .meta({ maxLength: ISSUER_BYTES })
      .describe("Its issuer's distinguished name."),
    serial: z
      .string()
      .regex(SERIAL, "Expected at most 64 lower-case hexadecimal digits.")
      .describe("Its serial number, in hexadecimal."),
    source: z
      .enum(certificateSources)
      .describe("Where it comes from: `file`, a file on the machine; `issued`, this service ordered it."),
    used: z.boolean().describe("Whether the agent serves it for a host of an edge."),
  }) satisfies z.ZodType<ServedCertificate>;

/** What an agent reports of its certificates. */
export const certificateReport = () =>
  z
    .array(certificate())
    .max(MOST_CERTIFICATES, `Contains more than ${MOST_CERTIFICATES} items.`)
    .refine(
      (list) => byteLength(JSON.stringify(list), CERTIFICATES_BYTES) <= CERTIFICATES_BYTES,
      `Longer than ${CERTIFICATES_BYTES} bytes.`,
    )
    .describe(
      `The certificates that the agent could serve, without keys: first those that it uses, then those that end first; at most ${CERTIFICATES_BYTES} bytes.`,
    );
