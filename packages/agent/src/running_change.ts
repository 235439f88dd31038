import { certificateSteps, type CertificateSteps, isCertificate } from "./certificate_steps.ts";
import { type MapSteps, stepsBetween } from "./map_steps.ts";
import type { Rendered } from "./render/render.ts";

/** What changes in a running HAProxy. */
export interface Change {
  /** Contents by path. */
  changed: Map<string, string>;
  deleted: string[];
  maps: MapSteps;
  certificates: CertificateSteps;
}

/** The change from what HAProxy serves to something else. Undefined if it takes a reload. */
export function changeBetween(
  { files: before, arrangement: old }: Pick<Rendered, "files" | "arrangement">,
  { files, arrangement }: Rendered,
): Change | undefined {
  const changed = new Map([...files].filter(([path, content]) => before.get(path) !== content));
  const deleted = [...before.keys()].filter((path) => !files.has(path));
  const isMap = new Set(arrangement.layout.paths);
  const isPossible =
    [...changed.keys()].every((path) => (isMap.has(path) && before.has(path)) || isCertificate(path)) &&
    deleted.every(isCertificate);
  if (!isPossible) return undefined;
  const steps = stepsBetween(old, arrangement);
  const certificates = certificateSteps(before, files);
  return steps && certificates && { changed, deleted, maps: steps, certificates };
}

/** What changed, for the log: `2 maps and 1 certificate`. */
export function partsOf({ changed, certificates: { created, renewed, deleted } }: Change): string {
  const counts = {
    map: [...changed.keys()].filter((path) => !isCertificate(path)).length,
    certificate: created.size + renewed.size + deleted.length,
  };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}${count === 1 ? "" : "s"}`)
    .join(" and ");
}
