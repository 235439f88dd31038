import { isIP } from "node:net";
import * as z from "zod";
import { snapshotSchema } from "../../traffic/src/snapshot.ts";
import { ALGORITHMS } from "./policy/contract.ts";

/*
 * Schemas of the JSON files in the state directory.
 */

const address = z.string().refine((text) => isIP(text) !== 0, "Expected an IP address.");

/** A snapshot. The ETag is sent to the service in a header. */
export const snapshotFile = z.object({
  snapshot: snapshotSchema,
  etag: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .nullable(),
});

/** The live configuration. */
export const appliedFile = z.object({
  release: z.int(),
  version: z.int(),
  listeners: z.array(z.object({ address, port: z.int().min(1).max(65_535), v6only: z.boolean() })),
  refused: z.object({
    structure: z.string(),
    found: z.record(
      z.string(),
      z.object({ kind: z.enum(["edge", "route"]), message: z.string(), certificates: z.string() }),
    ),
  }),
  isWhole: z.boolean(),
  /** The number in the newest name of a table or a set of rules. */
  last: z.int().min(0),
  /** How many lines are in HAProxy's memory to which no line leads any more. */
  unused: z.int().min(0),
  /** The policies of sets of rules that have several. */
  named: z.record(z.string(), z.array(z.string())).default({}),
});

/** The addresses of host names. */
export const addressesFile = z.record(z.string(), z.array(address));

/** The keys of key sets, by URL. */
export const keySetsFile = z.record(
  z.string(),
  z.array(
    z.object({
      kid: z.string().optional(),
      algorithms: z.array(z.enum(ALGORITHMS)),
      pem: z.string().regex(/^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----\n$/),
    }),
  ),
);

/** Where the release has the certificates of which files, by the name of the file. */
export const keptFile = z.record(
  z.string(),
  z.object({ file: z.string().regex(/^certificates\/[0-9a-f]{32}\.pem$/), digest: z.string() }),
);

/** The rules that have ended: policy, list, range and end of each. */
export const clockFile = z.object({ ended: z.array(z.string()) });

/** What a version of HAProxy has said that it can do. */
export const featuresFile = z.object({ version: z.string(), dropsTrailers: z.boolean() });

/** The HAProxy master. */
export const masterFile = z.object({ pid: z.int().min(2) });
