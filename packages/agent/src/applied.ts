import type { Snapshot } from "../../traffic/src/snapshot.ts";
import type { Arrangement } from "./arrangement.ts";
import { arrangementOf } from "./read_maps.ts";
import type { Rejections } from "./rejected.ts";
import type { Listener } from "./render/contract.ts";
import type { State } from "./state.ts";
import { appliedFile } from "./state_files.ts";

const APPLIED = "applied.json";

/** What HAProxy serves, or will serve when it is started. */
export interface Applied {
  release: number;
  version: number;
  /** With rules that have ended since. */
  snapshot: Snapshot;
  files: Map<string, string>;
  /** What the map files say. */
  arrangement: Arrangement;
  listeners: Listener[];
  /** How many lines are in HAProxy's memory to which no line leads any more. */
  unused: number;
  /** False if a change of maps was cut short: the maps in HAProxy's memory may differ from `files`. */
  isWhole: boolean;
  /** False if the release was rewritten in part: not all of its files are those of `files`. */
  isOnDisk: boolean;
}

/** What an earlier agent has applied, if it is known. @param snapshot the one that it applied last, if it is known */
export function restored(
  state: State,
  rejections: Rejections,
  snapshot: Snapshot | undefined,
): Applied | undefined {
  const applied = state.read(APPLIED, appliedFile);
  // Otherwise that agent was killed between two steps, and HAProxy may have something else in memory.
  if (!snapshot || !applied?.isWhole || applied.release !== state.currentRelease()) return undefined;
  const { release, listeners, refused, last, unused } = applied;
  rejections.restore(refused);
  const files = state.filesOf(release);
  const arrangement = arrangementOf(files, last);
  const { version } = snapshot;
  const isServed = { unused, isWhole: true, isOnDisk: true };
  return { release, version, snapshot, files, arrangement, listeners, ...isServed };
}

/** Saves what HAProxy serves, for the next agent. */
export function save(state: State, rejections: Rejections, applied: Applied): void {
  const { release, version, listeners, unused, isWhole, arrangement } = applied;
  const { last } = arrangement;
  const refused = rejections.saved;
  state.write(APPLIED, { release, version, listeners, refused, isWhole, last, unused });
}
