import { isIP } from "node:net";
import * as z from "zod";
import { requestStates } from "../../model/src/traffic/issuing.ts";
import { snapshotSchema } from "../../model/src/traffic/snapshot.ts";
import { ALGORITHMS } from "./policy/contract.ts";

/*
 * Schemas of the JSON files in the state directory.
 */

const address = z.string().refine((text) => isIP(text) !== 0, "Expected an IP address.");

/** The ETag is sent to the service in a header. */
const etag = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .nullable();

/** A snapshot. */
export const snapshotFile = z.object({
  snapshot: snapshotSchema,
  etag,
  /** Identifies it for {@link differenceFile}. Older agents wrote none. */
  id: z.string().optional(),
});

/** The issuers that the service offers. */
export const issuersFile = z.object({
  etag,
  issuers: z.array(
    z.object({
      hosts: z.array(z.string().max(256)),
      // Of SHA-256 (RFC 7638).
      thumbprint: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    }),
  ),
});

/** Since when hosts have no edge, in milliseconds since 1970, by what the names of their files begin with. */
export const unusedFile = z.record(z.string(), z.number());

/** What the service answers to a request for a certificate. Newer ones can have more fields. */
export const progressSchema = z.object({
  state: z.enum(requestStates),
  retry_after: z.number().min(0),
  chain: z.string().nullable(),
  last_error: z.string().nullable(),
  renews_at: z.iso.datetime({ offset: true }).nullable(),
});

const values = z.record(z.string(), z.unknown());

/** How a snapshot differs from another one. What comes out is checked as a snapshot. */
export const differenceFile = z.object({
  /** The other one. */
  base: z.string(),
  etag,
  version: z.int(),
  /** Ranges of its edges (from, to), and edges that it does not have. */
  edges: z.array(z.union([z.tuple([z.int().min(0), z.int().min(0)]), z.unknown()])),
  /** Absent if they are the same. */
  problems: z.unknown().optional(),
  /** Null for what is gone. */
  ip_policies: values,
  backends: values,
  certificate_authorities: values,
});

/** The live configuration. */
export const appliedFile = z.object({
  /** Since which start of the machine it is live. Older agents wrote none. */
  boot: z.string().optional(),
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
export const savedCertificatesFile = z.record(
  z.string(),
  z.object({ file: z.string().regex(/^certificates\/[0-9a-f]{32}\.pem$/), digest: z.string() }),
);

/** The rules that have ended: policy, list, range and end of each. */
export const clockFile = z.object({ ended: z.array(z.string()) });

/** What a version of HAProxy has said that it can do. */
export const featuresFile = z.object({ version: z.string(), dropsTrailers: z.boolean() });

/** The HAProxy master. */
export const masterFile = z.object({ pid: z.int().min(2) });
