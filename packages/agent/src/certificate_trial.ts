import { hash } from "node:crypto";
import { certificateIn, type CertificateFile, type CertificateSource } from "./certificate_file.ts";
import type { Files } from "./certificate_steps.ts";
import type { Certificates } from "./certificates.ts";
import { log } from "./log.ts";
import type { Proxy } from "./proxy.ts";
import { reasonOf } from "./refusal.ts";
import { CERTIFICATE_FILES, type Rendered } from "./render/contract.ts";
import { ISSUED, type State } from "./state.ts";
import { savedCertificatesFile } from "./state_files.ts";

/*
 * New certificates are tried with HAProxy before they get into a release or into the running HAProxy, so that one that HAProxy rejects
 * costs nothing: the one before it stays.
 */

const SAVED = "certificates.json";

/**
 * Tries certificates of a release that HAProxy has not accepted yet. Resolves to whether it rejects any, so that others are needed.
 *
 * @param files of the release
 * @param served the files that HAProxy has loaded
 * @throws MachineFailure if HAProxy cannot tell
 */
async function tryCertificates(
  files: Files,
  served: Files,
  certificates: Certificates,
  proxy: Proxy,
): Promise<boolean> {
  const all = [...files].filter(([path]) => path.startsWith(`${CERTIFICATE_FILES}/`));
  const contents = all
    .filter(([path, content]) => served.get(path) === content)
    .map(([, content]) => content);
  const untried = all.flatMap(([path, content]) =>
    served.get(path) === content || certificates.isAccepted(content) ? [] : [content],
  );
  const rejected = untried.length === 0 ? new Map<string, string>() : await proxy.tryCertificates(untried);
  certificates.accept([...contents, ...untried].filter((content) => !rejected.has(content)));
  for (const [content, reason] of rejected) {
    const { name = "A certificate" } = certificates.inUse.find((one) => one.served.content === content) ?? {};
    log(`${name} is not used: HAProxy rejects it: ${reason}`);
    certificates.reject(content, reason);
  }
  return rejected.size > 0;
}

/**
 * Renders without the certificates that HAProxy rejects.
 *
 * @param renderWith renders with the certificates that are in use then
 * @param served the files that HAProxy has loaded
 * @throws MachineFailure if HAProxy cannot tell
 */
export async function renderUsable(
  renderWith: () => Rendered,
  served: Files,
  certificates: Certificates,
  proxy: Proxy,
): Promise<Rendered> {
  for (;;) {
    const rendered = renderWith();
    if (!(await tryCertificates(rendered.files, served, certificates, proxy))) return rendered;
  }
}

const sourceOf = (name: string): CertificateSource => (name.startsWith(`${ISSUED}/`) ? "issued" : "file");

const digestOf = (content: string): string => hash("sha256", content, "base64");

/**
 * The certificates that an earlier agent served, in case their files are broken now, or have become ones that HAProxy rejects. They are in the
 * release on disk.
 */
export function savedCertificates(state: State): CertificateFile[] {
  return Object.entries(state.read(SAVED, savedCertificatesFile) ?? {}).flatMap(
    ([name, { file, digest }]) => {
      try {
        const content = state.readCurrent(file);
        return digestOf(content) === digest ? [certificateIn(name, content, sourceOf(name))] : [];
      } catch (error) {
        log(`The saved certificate from ${name} is ignored: ${reasonOf(error)}`);
        return [];
      }
    },
  );
}

/** Writes down which files the certificates of the current release are from. @param files of the release */
export function saveCertificates(state: State, certificates: Certificates, files: Files): void {
  const saved = certificates.inUse.flatMap(({ name, served: { file, content } }) =>
    files.get(file) === content ? [[name, { file, digest: digestOf(content) }] as const] : [],
  );
  state.writeIfNew(SAVED, Object.fromEntries(saved));
}
