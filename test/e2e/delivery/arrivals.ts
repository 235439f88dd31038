import type { Json } from "../../support/json.ts";

/** What has arrived at one destination, and what is wrong with it. */
export class Arrivals {
  /** The text of each event by its id, in the order in which they first arrived. */
  readonly texts = new Map<string, string>();
  /** When each first arrived, in milliseconds since the Unix epoch. */
  readonly times = new Map<string, number>();
  readonly faults: string[] = [];
  duplicates = 0;
  requests = 0;
  #last = "";
  /** Events that were not taken from a batch, with the last event of that batch: they are owed before any later one. */
  readonly #owed = new Map<string, string>();

  /** Notes the events of a request. @param failed indexes of those that were not taken */
  take(events: string[], failed: Set<number> = new Set()): void {
    const ids = events.map((text) => String((JSON.parse(text) as Json)["event_id"]));
    const [last = ""] = ids.toSorted().toReversed();
    for (const [index, id] of ids.entries())
      if (failed.has(index) && !this.texts.has(id)) this.#owed.set(id, last);
    for (const [index, id] of ids.entries()) if (!failed.has(index)) this.#arrived(id, events[index] ?? "");
  }

  #arrived(id: string, text: string): void {
    const known = this.texts.get(id);
    if (known !== undefined) {
      this.duplicates += 1;
      if (known !== text) this.faults.push(`${id} arrives with another text: ${text}; it was ${known}`);
      return;
    }
    this.texts.set(id, text);
    this.times.set(id, Date.now());
    // Ids sort as the log does.
    if (!this.#owed.delete(id) && id < this.#last) this.faults.push(`${id} arrives after ${this.#last}`);
    for (const [owed, last] of this.#owed)
      if (id > last) this.faults.push(`${id} arrives before ${owed}, which was not taken with ${last}`);
    if (id > this.#last) this.#last = id;
  }
}
