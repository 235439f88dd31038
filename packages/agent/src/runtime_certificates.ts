import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import type { CertificateSteps, ListedLine } from "./certificate_steps.ts";
import { Refusal } from "./refusal.ts";
import { rejected, type Worker } from "./worker.ts";

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
    const said = await worker.run([`new ssl cert ${join(directory, path)}`]);
    if (!said.startsWith("New empty certificate store")) throw rejected(said);
  }
  for (const [path, content] of [...created, ...renewed]) {
    const file = join(directory, path);
    const said = await worker.runWith(`set ssl cert ${file}`, content);
    if (!said.startsWith("Transaction created")) throw rejected(said);
    const result = await worker.run([`commit ssl cert ${file}`]);
    if (!result.includes("Success!")) throw rejected(result);
    const shown = await worker.run([`show ssl cert ${file}`]);
    const [, fingerprint] = /^SHA1 FingerPrint: (\w+)/m.exec(shown) ?? [];
    if (fingerprint !== new X509Certificate(content).fingerprint.replaceAll(":", ""))
      throw new Refusal(`HAProxy has another certificate for ${path}.`);
  }
  for (const { list, line } of added) {
    const said = await worker.runWith(`add ssl crt-list ${join(directory, list)}`, line);
    if (!said.includes("Success!")) throw rejected(said);
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
    const said = await worker.run([`del ssl crt-list ${join(directory, list)} ${certificate}`]);
    if (!/^Entry .* deleted/.test(said)) throw rejected(said);
  }
  await checkLists(worker, directory, removed, 0);
  for (const path of deleted) {
    const said = await worker.run([`del ssl cert ${join(directory, path)}`]);
    if (!/^Certificate .* deleted/.test(said)) throw rejected(said);
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
    const shown = await worker.run([`show ssl crt-list -n ${join(directory, list)}`]);
    const listed = shown.split("\n").map((line) => line.slice(0, line.search(/:\d+( |$)/)));
    for (const { certificate } of lines.filter((line) => line.list === list))
      if (listed.filter((one) => one === certificate).length !== expected)
        throw new Refusal(`HAProxy lists ${certificate} ${expected === 0 ? "still" : "not once"}.`);
  }
}
