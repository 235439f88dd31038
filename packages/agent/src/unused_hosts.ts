import type { Snapshot } from "../../model/src/traffic/snapshot.ts";
import { wallClock } from "./base/clock.ts";
import { type IssuedFiles, stemOf } from "./issued_files.ts";
import { log } from "./log.ts";
import { parseHostport } from "./render/hostport.ts";
import type { State } from "./state.ts";
import { unusedFile } from "./state_files.ts";

const SAVED = "unused.json";

/** How long the keys and certificates of a host are kept after its last edge is gone: the edge can come back. */
const KEPT_FOR = 30 * 86_400_000;

/** Deletes the keys and certificates of hosts that no edge has any more. */
export class UnusedHosts {
  readonly #state: State;
  readonly #files: IssuedFiles;
  /** Since when hosts have no edge, by what the names of their files begin with. */
  #since: ReadonlyMap<string, number>;

  constructor(state: State, files: IssuedFiles) {
    this.#state = state;
    this.#files = files;
    this.#since = new Map(Object.entries(state.read(SAVED, unusedFile) ?? {}));
  }

  /** Deletes what no edge of the last 30 days needs. */
  tidy({ edges }: Snapshot): void {
    const stems = this.#files.stems();
    if (stems.length === 0 && this.#since.size === 0) return;
    const used = new Set(
      edges.flatMap(({ hostports }) => hostports.map((hostport) => stemOf(parseHostport(hostport).host))),
    );
    const now = wallClock();
    const since = new Map<string, number>();
    for (const stem of stems) {
      if (used.has(stem)) continue;
      // A clock that was ahead counts as one that was right.
      const begin = Math.min(this.#since.get(stem) ?? now, now);
      if (now - begin < KEPT_FOR) since.set(stem, begin);
      else {
        this.#files.delete(stem);
        log(`${stem}: Deleted the key and the certificate, because no edge has had this host for 30 days.`);
      }
    }
    this.#since = since;
    this.#state.writeIfNew(SAVED, Object.fromEntries(since));
  }
}
