import { type KeyObject, X509Certificate } from "node:crypto";
import { CHAIN_BYTES } from "../../model/src/traffic/issuing.ts";
import { textOfInstant } from "./base/clock.ts";
import { type CertificateFile, certificateIn, endOf, isValidNow } from "./certificate_file.ts";
import { Refusal } from "./refusal.ts";

/*
 * Checks an issued chain before it replaces anything. The agent trusts neither the service nor the authority.
 */

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * Checks a chain: its size, that it has certificates only, each of which is the issuer of the one before it, and that the first one is for
 * this host alone and this key, and valid now.
 *
 * @param name of the file that it is for
 * @param chain in PEM
 * @param current what it would replace
 * @throws Refusal, or an error of OpenSSL
 */
export function checkedChain(
  { name, host, key }: { name: string; host: string; key: KeyObject },
  chain: string,
  current: CertificateFile | undefined,
): CertificateFile {
  if (Buffer.byteLength(chain) > CHAIN_BYTES) throw new Refusal(`it has more than ${CHAIN_BYTES} bytes`);
  if (chain.replaceAll(CERTIFICATE, "").trim() !== "")
    throw new Refusal("it contains something that is not a certificate");
  const certificates = (chain.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
  for (const [index, issuer] of certificates.slice(1).entries()) {
    const issued = certificates[index];
    if (!issuer.ca || !issued?.checkIssued(issuer) || !issued.verify(issuer.publicKey))
      throw new Refusal(`its certificate ${index + 2} is not the issuer of the one before it`);
  }
  const file = certificateIn(
    name,
    `${chain}\n${String(key.export({ type: "pkcs8", format: "pem" }))}`,
    "issued",
  );
  const { names, addresses } = file;
  if (names.length !== 1 || names[0] !== host || addresses.length > 0)
    throw new Refusal(`it is not for ${host} alone`);
  const { validFrom, validTo } = file.leaf;
  if (!isValidNow(file)) throw new Refusal(`it is valid from ${validFrom} to ${validTo}, which is not now`);
  if (current && endOf(file) < endOf(current))
    throw new Refusal(
      `it ends before the present one, which is valid until ${textOfInstant(endOf(current))}`,
    );
  return file;
}
