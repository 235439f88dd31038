import type { StoredTarget } from "../db/stored.ts";
import { type Outcome, sendAll } from "./send_all.ts";
import type { OutgoingEvent, SendContext, Sender } from "./sender.ts";
import { webhook } from "./webhook.ts";

/** The sender of one target. */
export interface BoundSender {
  /** For targets that take files: how many bytes to wait for, and how long (milliseconds). */
  holds: { bytes: number; milliseconds: number } | undefined;
  /** As {@link sendAll}. */
  sendAll(events: OutgoingEvent[], context: SendContext, until: number): Promise<Outcome>;
}

const bound = <Target>(sender: Sender<Target>, target: Target | undefined): BoundSender | undefined =>
  target === undefined
    ? undefined
    : {
        holds: sender.holds?.(target),
        sendAll: (events, context, until) => sendAll(sender, target, events, context, until),
      };

/** The sender for the one member of a target that is set; undefined if none is. @param target with its secrets opened */
export const senderFor = (target: StoredTarget): BoundSender | undefined => bound(webhook, target.webhook);
