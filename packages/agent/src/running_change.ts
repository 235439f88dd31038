import type { Arrangement } from "./arrangement.ts";
import { certificateSteps, type CertificateSteps, isCertificate } from "./certificate_steps.ts";
import { type MapSteps, stepsBetween } from "./map_steps.ts";
import type { Loaded } from "./render/render.ts";

/** So many lines in HAProxy's memory are not worth a reload, even if no line leads to them. */
const MOST_UNUSED = 100_000;

/** How files differ. */
interface Differences {
  /** Contents by path. */
  changed: Map<string, string>;
  deleted: string[];
}

/** What changes in a running HAProxy. */
export interface Change extends Differences {
  maps: MapSteps;
  certificates: CertificateSteps;
}

/**
 * The change from what HAProxy serves to something else. Undefined if it takes a reload.
 *
 * @param unused how many lines are in HAProxy's memory to which no line leads any more
 */
export function changeBetween(
  { files: before, arrangement: old }: Loaded,
  { files, arrangement }: Loaded,
  unused = 0,
): Change | undefined {
  const { changed, deleted } = differences(before, files);
  const isMap = new Set(arrangement.layout.paths);
  const isPossible =
    [...changed.keys()].every((path) => (isMap.has(path) && before.has(path)) || isCertificate(path)) &&
    deleted.every(isCertificate);
  if (!isPossible) return undefined;
  const steps = stepsBetween(old, arrangement);
  if (!steps) return undefined;
  const without = unused + steps.unreferenced.length;
  if (without > MOST_UNUSED && without > linesOf(arrangement)) return undefined;
  const certificates = certificateSteps(before, files);
  return certificates && { changed, deleted, maps: steps, certificates };
}

/** How the files of a release differ from what they were. */
export const differences = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Differences => ({
  changed: new Map([...after].filter(([path, content]) => before.get(path) !== content)),
  deleted: [...before.keys()].filter((path) => !after.has(path)),
});

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

/** How many lines of tables and sets an arrangement has. */
function linesOf({ layout }: Arrangement): number {
  let count = 0;
  for (const { lines } of layout.tables.values()) count += lines.size;
  for (const { allow, deny } of layout.sets.values()) count += allow.length + deny.length;
  return count;
}
