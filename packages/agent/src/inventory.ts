import {
  CERTIFICATES_BYTES,
  isCertificateHost,
  ISSUER_BYTES,
  MOST_CERTIFICATES,
  MOST_HOSTS,
  SERIAL,
  type ServedCertificate,
} from "../../model/src/traffic/served_certificates.ts";
import { canonicalAddress } from "../../model/src/values/ip.ts";
import { visible } from "../../model/src/values/visible_text.ts";
import { instantIn, textOfInstant } from "./base/clock.ts";
import { type CertificateFile, type CertificateSource, endOf } from "./certificate_file.ts";
import type { ServedGroup } from "./render/contract.ts";

/*
 * The report of which certificates this machine has: names and dates, no keys.
 */

/** A certificate in a status. */
export type ReportedCertificate = Omit<ServedCertificate, "source"> & { source: CertificateSource };

/** The certificates in a status. */
export interface CertificateReport {
  certificates: ReportedCertificate[];
  /** How many are left out, or some of their hosts. */
  certificates_left_out: number;
}

const [FIRST_INSTANT, LAST_INSTANT] = [instantIn("0000-01-01T00:00:00Z"), instantIn("9999-12-31T23:59:59Z")];

/** The report of certificates, as long as nothing has changed the same one. */
export class CertificateReports {
  #last:
    | { certificates: readonly CertificateFile[]; groups: readonly ServedGroup[]; knowsIssued: boolean }
    | undefined;
  #report: CertificateReport = { certificates: [], certificates_left_out: 0 };

  /**
   * The report.
   *
   * @param certificates those that can be served
   * @param groups what is served
   * @param knowsIssued whether the service knows the source `issued`; otherwise these certificates are reported as files
   */
  of(
    certificates: readonly CertificateFile[],
    groups: readonly ServedGroup[],
    knowsIssued: boolean,
  ): CertificateReport {
    const last = this.#last;
    if (last?.certificates !== certificates || last.groups !== groups || last.knowsIssued !== knowsIssued) {
      this.#last = { certificates, groups, knowsIssued };
      this.#report = reportOf(certificates, contentsIn(groups), knowsIssued);
    }
    return this.#report;
  }
}

/** The certificates that are served for hosts of edges, as PEM. */
const contentsIn = (groups: readonly ServedGroup[]): Set<string> =>
  new Set(
    groups.flatMap(({ served }) =>
      served.flatMap(({ hostports }) => hostports.flatMap(({ certificate }) => certificate?.content ?? [])),
    ),
  );

/**
 * Reports the certificates that are used, then those that end first, as many as fit. Certificates without alternative names are for no
 * host.
 */
function reportOf(
  certificates: readonly CertificateFile[],
  used: ReadonlySet<string>,
  knowsIssued: boolean,
): CertificateReport {
  // Two files can have the same certificate.
  const different = new Map<string, { certificate: CertificateFile; isUsed: boolean }>();
  for (const certificate of certificates) {
    const { fingerprint256 } = certificate.leaf;
    const isUsed = used.has(certificate.served.content) || (different.get(fingerprint256)?.isUsed ?? false);
    different.set(fingerprint256, { certificate, isUsed });
  }
  const sorted = [...different.values()]
    .filter(({ certificate: { names, addresses } }) => names.length + addresses.length > 0)
    .toSorted(
      (a, b) =>
        Number(b.isUsed) - Number(a.isUsed) ||
        endOf(a.certificate) - endOf(b.certificate) ||
        (a.certificate.leaf.fingerprint256 < b.certificate.leaf.fingerprint256 ? -1 : 1),
    );
  const reported: ReportedCertificate[] = [];
  let [whole, length] = [0, 2];
  for (const { certificate, isUsed } of sorted) {
    const one = reportOfOne(certificate, isUsed, knowsIssued);
    length += one ? Buffer.byteLength(JSON.stringify(one.entry)) + 1 : 0;
    if (!one || reported.length === MOST_CERTIFICATES || length > CERTIFICATES_BYTES) continue;
    reported.push(one.entry);
    if (one.isWhole) whole += 1;
  }
  return { certificates: reported, certificates_left_out: sorted.length - whole };
}

/** Undefined for a certificate whose dates or number cannot be read. */
function reportOfOne(
  certificate: CertificateFile,
  used: boolean,
  knowsIssued: boolean,
): { entry: ReportedCertificate; isWhole: boolean } | undefined {
  const { leaf, served, addresses } = certificate;
  const [notBefore, notAfter] = [dateOf(leaf.validFrom), dateOf(leaf.validTo)];
  const serial = leaf.serialNumber.toLowerCase();
  if (notBefore === undefined || notAfter === undefined || !SERIAL.test(serial)) return undefined;
  const names = [...new Set([...served.names, ...addresses.map(canonical)])];
  const hosts = names.filter(isCertificateHost).slice(0, MOST_HOSTS);
  return {
    entry: {
      hosts,
      not_before: notBefore,
      not_after: notAfter,
      issuer: issuerOf(leaf),
      serial,
      source: knowsIssued ? certificate.source : "file",
      used,
    },
    isWhole: hosts.length === names.length && served.names.length === certificate.names.length,
  };
}

const canonical = (address: string): string => canonicalAddress(address) ?? address;

/** An instant in RFC 3339, whole seconds; undefined if it is none, or after the year 9999. */
function dateOf(text: string): string | undefined {
  const instant = instantIn(text);
  if (!(instant >= FIRST_INSTANT) || instant > LAST_INSTANT) return undefined;
  return textOfInstant(instant).replace(/\.\d+Z$/, "Z");
}

/** The issuer's distinguished name in one line. Node.js has none for an empty name. */
function issuerOf({ issuer = "" }: { issuer?: string }): string {
  const text = visible(issuer.replaceAll("\n", ", "));
  let cut = text.slice(0, ISSUER_BYTES);
  while (Buffer.byteLength(cut) > ISSUER_BYTES) cut = cut.slice(0, -1).toWellFormed();
  return cut;
}
