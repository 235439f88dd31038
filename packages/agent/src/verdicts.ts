import { hash } from "node:crypto";
import { elapsed } from "./clock.ts";
import { Refusal } from "./refusal.ts";
import type { Rendered } from "./render/render.ts";

/** A configuration is rejected if HAProxy rejects it twice, at least this many milliseconds apart. */
export const BETWEEN_VERDICTS = 5_000;
const MOST_KNOWN = 100;

/** HAProxy rejected a configuration for the first time. The agent checks it again before it leaves anything out. */
export class RejectedOnce extends Refusal {}

/** When HAProxy rejected configurations. A single verdict can be the fault of a machine in trouble. */
export class Verdicts {
  /** When each was rejected first, by a digest of the configuration, and by the reason. */
  readonly #first = new Map<string, number>();

  /**
   * Whether HAProxy rejected the same configuration before, or another one for the same reason: if the configuration changes
   * all the time, no change must wait forever.
   *
   * @param directory of the release, which the files and the reason contain
   */
  isConfirmed({ files }: Rendered, directory: string, reason: string): boolean {
    // Without the maps, which change most often and are never the reason.
    const text = JSON.stringify([...files]).replaceAll(directory, "");
    const keys = [
      hash("sha256", text, "base64"),
      `reason ${reason.replaceAll(directory, "").replaceAll(/:\d+\]/g, "")}`,
    ];
    const now = elapsed();
    for (const key of keys) if (!this.#first.has(key)) this.#first.set(key, now);
    for (const key of [...this.#first.keys()].slice(0, -MOST_KNOWN)) this.#first.delete(key);
    return keys.some((key) => now - (this.#first.get(key) ?? now) >= BETWEEN_VERDICTS);
  }

  /** HAProxy accepted what it is to serve: what it rejected before was another configuration, or the fault of the machine. */
  accepted(): void {
    this.#first.clear();
  }
}
