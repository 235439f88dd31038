import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import type { CertificateSteps, ListedLine } from "./certificate_steps.ts";
import { Refusal } from "./refusal.ts";
import type { Worker } from "./worker.ts";

/*
 * Server certificates in the memory of a worker. HAProxy identifies each by the path of its file.
 */

/**
 * Gives a worker new and renewed certificates, and checks that it has them.
 *
 * @param directory of the release that the worker has loaded
 * @throws Refusal if the worker does not have them
 */
export async function addCertificates(
  worker: Worker,
  directory: string,
  { created, renewed, added }: CertificateSteps,
): Promise<void> {
  for (const path of created.keys()) {
    await worker.run([`new ssl cert ${join(directory, path)}`], /^New empty certificate store/);
  }
  for (const [path, content] of [...created, ...renewed]) {
    const file = join(directory, path);
    await worker.runWith(`set ssl cert ${file}`, content, /^Transaction created/);
    await worker.run([`commit ssl cert ${file}`], /Success!/);
    const about = await worker.run([`show ssl cert ${file}`]);
    const [, fingerprint] = /^SHA1 FingerPrint: (\w+)/m.exec(about) ?? [];
    if (fingerprint !== new X509Certificate(content).fingerprint.replaceAll(":", ""))
      throw new Refusal(`HAProxy has another certificate for ${path}.`);
  }
  for (const { list, line } of added) {
    await worker.runWith(`add ssl crt-list ${join(directory, list)}`, line, /Success!/);
  }
  await checkLists(worker, directory, added, 1);
}

/**
 * Deletes certificates that no edge needs any more from a worker.
 *
 * @param directory of the release that the worker has loaded
 * @throws Refusal if the worker still has them
 */
export async function removeCertificates(
  worker: Worker,
  directory: string,
  { removed, deleted }: CertificateSteps,
): Promise<void> {
  for (const { list, certificate } of removed) {
    await worker.run([`del ssl crt-list ${join(directory, list)} ${certificate}`], /^Entry .* deleted/);
  }
  await checkLists(worker, directory, removed, 0);
  for (const path of deleted) {
    await worker.run([`del ssl cert ${join(directory, path)}`], /^Certificate .* deleted/);
  }
}

/** Checks how often certificates are in lists. @throws Refusal */
async function checkLists(
  worker: Worker,
  directory: string,
  lines: readonly ListedLine[],
  expected: 0 | 1,
): Promise<void> {
  for (const list of new Set(lines.map(({ list }) => list))) {
    const content = await worker.run([`show ssl crt-list -n ${join(directory, list)}`]);
    const listed = content.split("\n").map((line) => line.slice(0, line.search(/:\d+( |$)/)));
    for (const { certificate } of lines.filter((line) => line.list === list))
      if (listed.filter((one) => one === certificate).length !== expected)
        throw new Refusal(`HAProxy lists ${certificate} ${expected === 0 ? "still" : "not once"}.`);
  }
}
