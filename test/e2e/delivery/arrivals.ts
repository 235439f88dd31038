import type { Json } from "../../support/json.ts";

/** The events that have arrived at a destination, and errors. */
export class Arrivals {
  /** The text of each event by its id, in the order in which they first arrived. */
  readonly texts = new Map<string, string>();
  /** When each event first arrived, in milliseconds since the Unix epoch. */
  readonly times = new Map<string, number>();
  readonly faults: string[] = [];
  duplicates = 0;
  requests = 0;
  #last = "";
  /** Events of a batch that were not accepted, with the last event of that batch. They must arrive before any later event. */
  readonly #owed = new Map<string, string>();

  /** Records the events of a request. @param failed the indexes of events that were not accepted */
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
    // Ids sort in log order.
    if (!this.#owed.delete(id) && id < this.#last) this.faults.push(`${id} arrives after ${this.#last}`);
    for (const [owed, last] of this.#owed)
      if (id > last) this.faults.push(`${id} arrives before ${owed}, which was not taken with ${last}`);
    if (id > this.#last) this.#last = id;
  }
}
