import { readFileSync } from "node:fs";
import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { arrangementOf } from "./read_maps.ts";
import type { Rejections } from "./rejected.ts";
import type { Listener, Loaded } from "./render/contract.ts";
import type { State } from "./state.ts";
import { appliedFile } from "./state_files.ts";

const APPLIED = "applied.json";

/** What HAProxy serves, or will serve when it is started. */
export interface Applied extends Loaded {
  release: number;
  version: number;
  /** With rules that have ended since. */
  snapshot: Snapshot;
  listeners: Listener[];
  /** How many lines are in HAProxy's memory to which no line leads any more. */
  unused: number;
  /** False if a change of maps was cut short: the maps in HAProxy's memory may differ from `files`. */
  isWhole: boolean;
  /** False if the release was rewritten in part: not all of its files are those of `files`. */
  isOnDisk: boolean;
}

/** What an earlier agent has applied, if it is known. @param snapshots one of which it has applied last */
export function restored(
  state: State,
  rejections: Rejections,
  snapshots: readonly Snapshot[],
): Applied | undefined {
  const applied = state.read(APPLIED, appliedFile);
  const snapshot = snapshots.find(({ version }) => version === applied?.version);
  // Otherwise that agent was killed between two steps, and HAProxy may have something else in memory.
  if (!snapshot || !applied?.isWhole || applied.release !== state.currentRelease()) return undefined;
  // The files of a release are not forced to the disk: after a power failure, some can be empty.
  if (applied.boot !== undefined && applied.boot !== bootOf()) return undefined;
  const { release, version, listeners, refused, last, unused } = applied;
  rejections.restore(refused);
  const all = state.filesOf(release);
  const arrangement = arrangementOf(all, last);
  const maps = new Set(arrangement.layout.paths);
  const files = new Map([...all].filter(([path]) => !maps.has(path)));
  const sets = [...arrangement.layout.sets.keys()];
  const named = new Map(sets.map((name) => [name, applied.named[name] ?? [name]]));
  const isServed = { unused, isWhole: true, isOnDisk: true };
  return { release, version, snapshot, files, arrangement, named, listeners, ...isServed };
}

/** Saves what HAProxy serves, for the next agent. */
export function save(state: State, rejections: Rejections, applied: Applied): void {
  const { release, version, listeners, unused, isWhole, isOnDisk, arrangement, named } = applied;
  const merged = [...named].filter(([name, [only]]) => name !== only);
  state.write(APPLIED, {
    boot: bootOf(),
    release,
    version,
    listeners,
    refused: rejections.saved,
    isWhole: isWhole && isOnDisk,
    last: arrangement.last,
    unused,
    named: Object.fromEntries(merged),
  });
}

/** Identifies the time since the machine was started; "" if the system does not say. */
function bootOf(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
