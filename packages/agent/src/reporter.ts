import { elapsed, NEVER } from "./base/clock.ts";
import { log } from "./log.ts";
import { reasonOf } from "./refusal.ts";
import type { Service, Status } from "./service.ts";

const REPORT_EVERY = 60_000;
const RETRY_AFTER = 5000;

/** Reports the agent's status to the service: when it changes, and once a minute. */
export class Reporter {
  readonly #service: Service;
  readonly #name: string;
  /** Statuses as JSON: the last one that the service accepted, and the last one that was sent. */
  #accepted = "";
  #sent = "";
  #sentAt = NEVER;
  #isSending = false;
  #error = "";

  /** @param name of the agent */
  constructor(service: Service, name: string) {
    this.#service = service;
    this.#name = name;
  }

  /** Sends the status if it is due. Does not wait for the response. */
  report(status: Status): void {
    const text = JSON.stringify(status);
    const interval = text === this.#accepted ? REPORT_EVERY : RETRY_AFTER;
    const isNew = text !== this.#sent;
    if (this.#isSending || (!isNew && elapsed() - this.#sentAt < interval)) return;
    this.#isSending = true;
    this.#sentAt = elapsed();
    this.#sent = text;
    this.#service
      .report(this.#name, status)
      .then(() => {
        this.#accepted = text;
      })
      .catch((reason: unknown) => {
        const line = `Cannot report the status to the service: ${reasonOf(reason)}`;
        if (line !== this.#error) log(line);
        this.#error = line;
      })
      .finally(() => {
        this.#isSending = false;
      });
  }
}
