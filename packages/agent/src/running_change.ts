import { certificateSteps, type CertificateSteps, isCertificate } from "./certificate_steps.ts";
import { mapFiles } from "./map_files.ts";
import { type MapSteps, stepsBetween } from "./map_steps.ts";
import type { Arrangement } from "./render/arrangement.ts";
import type { Loaded } from "./render/render.ts";

/** So many lines in HAProxy's memory are not worth a reload, even if no line leads to them. */
const MOST_UNUSED = 100_000;

/** What changes in a running HAProxy. */
export interface RunningChange {
  maps: MapSteps;
  certificates: CertificateSteps;
}

/**
 * The change from what HAProxy serves to something else. Undefined if it takes a reload.
 *
 * @param unused how many lines are in HAProxy's memory to which no line leads any more
 */
export function changeBetween(before: Loaded, after: Loaded, unused = 0): RunningChange | undefined {
  const { changed, deleted } = differences(before.files, after.files);
  const [{ layout: old }, { layout }] = [before.arrangement, after.arrangement];
  const haveSameMaps =
    old.paths.length === layout.paths.length &&
    old.paths.every((path, index) => path === layout.paths[index]);
  if (!haveSameMaps || ![...changed.keys(), ...deleted].every(isCertificate)) return undefined;
  const maps = stepsBetween(before.arrangement, after.arrangement);
  if (!maps) return undefined;
  const without = unused + maps.unreferenced.length;
  if (without > MOST_UNUSED && without > linesOf(after.arrangement)) return undefined;
  const certificates = certificateSteps(before.files, after.files);
  return certificates && { maps, certificates };
}

/** Whether nothing changes in HAProxy's memory. */
export const isEmpty = ({ maps, certificates }: RunningChange): boolean =>
  maps.added.length + maps.set.length + maps.deleted.length + maps.unreferenced.length === 0 &&
  certificates.created.size + certificates.renewed.size + certificates.deleted.length === 0 &&
  certificates.added.length + certificates.removed.length === 0;

/** How files differ. */
interface Differences {
  /** Contents by path. */
  changed: Map<string, string>;
  deleted: string[];
}

/** How the files of a release differ from what they were. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Differences {
  if (before === after) return { changed: new Map(), deleted: [] };
  return {
    changed: new Map([...after].filter(([path, content]) => before.get(path) !== content)),
    deleted: [...before.keys()].filter((path) => !after.has(path)),
  };
}

/** The same with the map files. */
export function allDifferences(before: Loaded, after: Loaded): Differences {
  const { changed, deleted } = differences(before.files, after.files);
  const maps = mapFiles(before.arrangement);
  for (const [path, file] of mapFiles(after.arrangement))
    if (maps.get(path) !== file) changed.set(path, file.text);
  return { changed, deleted };
}

/** What changed, for the log: `2 maps and 1 certificate`. */
export function partsOf({ maps, certificates: { created, renewed, deleted } }: RunningChange): string {
  const lines = [...maps.added, ...maps.set, ...maps.deleted];
  const counts = {
    map: new Set(lines.map(({ map }) => map)).size,
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
