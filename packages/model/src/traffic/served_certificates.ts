/*
 * The certificates that an agent reports: no keys, and no PEM.
 */

/** The most certificates in a report. */
export const MOST_CERTIFICATES = 100;

/** The most hosts of a certificate in a report. */
export const MOST_HOSTS = 100;

/** The longest report of certificates, in bytes of JSON. */
export const CERTIFICATES_BYTES = 32_768;

/** The longest name of an issuer, in bytes. */
export const ISSUER_BYTES = 200;

/** A host as certificates name it: a DNS name in lower case, of which `*` can be the first label, or an IP address. */
export const CERTIFICATE_HOST =
  /^(?:(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[0-9a-f]*:[0-9a-f]*:[0-9a-f.:]*)$/;

/** The longest such host, in characters (RFC 1035 §2.3.4). */
export const CERTIFICATE_HOST_LENGTH = 253;

/** Whether `name` is a {@link CERTIFICATE_HOST}. */
export const isCertificateHost = (name: string): boolean =>
  name.length <= CERTIFICATE_HOST_LENGTH && CERTIFICATE_HOST.test(name);

/** Hexadecimal digits. RFC 5280 §4.1.2.2 permits 20 bytes; some certificates have more, or negative numbers. */
export const SERIAL = /^-?[0-9a-f]{1,64}$/;

/** `file`, a file on the machine; `issued`, the service ordered it. */
export const certificateSources = ["file", "issued"] as const;

export interface ServedCertificate {
  /** The names that it is for, in lower case. A wildcard covers one label. */
  hosts: string[];
  /** RFC 3339, UTC, whole seconds. */
  not_before: string;
  not_after: string;
  /** The name of its issuer. */
  issuer: string;
  serial: string;
  source: (typeof certificateSources)[number];
  /** Whether it is the agent's choice for a host of an edge. */
  used: boolean;
}

/** The wildcard that covers a host; undefined for an IP address. */
export const wildcardFor = (host: string): string | undefined =>
  host.includes(":") || !/[a-z_-][^.]*$/.test(host) ? undefined : host.replace(/^[^.]*/, "*");

/** When the last quarter of a certificate's life begins, in milliseconds since the Unix epoch. */
export function lastQuarter({
  not_before,
  not_after,
}: Pick<ServedCertificate, "not_before" | "not_after">): number {
  const [begin, end] = [Date.parse(not_before), Date.parse(not_after)];
  return end - Math.max(0, end - begin) / 4;
}
