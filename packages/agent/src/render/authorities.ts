import { X509Certificate } from "node:crypto";
import type { Edge } from "../../../model/src/traffic/snapshot.ts";
import type { Output } from "./output.ts";

/**
 * Whether a certificate authority of the edge's mutual TLS is missing. Without any authority, HAProxy would reject the whole
 * configuration; without one of several, it would reject that authority's clients. Reports intermediate authorities without their
 * root, which HAProxy does not trust, and authorities with the same subject, of which HAProxy can take the wrong one.
 */
export function lacksAuthority(edge: Edge, output: Output): boolean {
  if (edge.kind === "tcp" || !edge.mutual_tls) return false;
  const ids = edge.mutual_tls.certificate_authority_ids;
  const pems = Object.fromEntries(ids.map((id) => [id, output.authority(id)]));
  const missing = ids.filter((id) => !pems[id]);
  if (ids.length === 0 || missing.length > 0) {
    output.problem(
      edge.id,
      "certificate_authority_missing",
      ids.length === 0
        ? "The edge is not served: its mutual_tls lists no certificate authority. Add one, or disable the module."
        : `The edge is not served: its mutual_tls lists ${missing.join(", ")}, which the snapshot does not contain. Create it, or remove it from mutual_tls.`,
    );
    return true;
  }
  const certificates = ids.map((id) => ({ id, ...namesOf(pems[id] ?? "") }));
  const subjects = new Set(certificates.map(({ subject }) => subject));
  const rootless = certificates.filter(({ issuer }) => !subjects.has(issuer)).map(({ id }) => id);
  if (rootless.length > 0) {
    output.problem(
      edge.id,
      "certificate_authority_without_root",
      `Served, but clients with certificates from ${rootless.join(", ")} are rejected: HAProxy trusts an intermediate authority only if its issuers, up to the root, are also listed. Add them to mutual_tls.`,
    );
  }
  const isHidden = (pem: string, by: string): boolean => keyIn(pem) !== keyIn(by);
  const hidden = certificates.flatMap(({ id, subject }, index) => {
    const first = certificates.slice(0, index).find((other) => subject !== "" && other.subject === subject);
    return first && isHidden(pems[id] ?? "", pems[first.id] ?? "") ? [`${id} (after ${first.id})`] : [];
  });
  if (hidden.length > 0) {
    output.problem(
      edge.id,
      "certificate_authority_same_subject",
      `Served, but HAProxy uses the first authority with a matching subject. These authorities have the same subject as an earlier one: ${hidden.join(", ")}. Their clients are rejected unless the clients' certificates have an authority key identifier. Give each authority its own subject.`,
    );
  }
  return false;
}

/** The subject and issuer. Both are empty for an unreadable certificate, which HAProxy reports itself. */
function namesOf(pem: string): { subject: string; issuer: string } {
  try {
    const { subject, issuer } = new X509Certificate(pem);
    return { subject, issuer };
  } catch {
    return { subject: "", issuer: "" };
  }
}

const keyIn = (pem: string): string =>
  new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" }).toString("base64");
