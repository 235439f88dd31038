import { callerWithin } from "../../../src/delivery/call.ts";
import type { DeliverySettings, OutgoingEvent, SendContext } from "../../../src/delivery/sender.ts";

/*
 * Events and settings for the tests of senders whose targets are webhooks, monitoring vendors and log ingestion services.
 */

/** An event with `padding` in its object. */
export function eventOf(seq: number, padding = ""): OutgoingEvent {
  const at = Date.parse("2026-11-20T10:00:00Z") + seq * 1000;
  const id = `edgtcp_${String(seq).padStart(27, "0")}`;
  const envelope = {
    event_id: `ev_${String(seq).padStart(27, "0")}`,
    event_type: "tcp_edge_updated.v0",
    event_timestamp: "2026-11-20T10:00:00Z",
    account_id: "ac_default",
    principal: { id: "root", subject: "root", source: "API", credential: null },
    object: { id, uri: `https://api.example.com/edges/tcp/${id}`, description: `é${padding}` },
    operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
  };
  const text = JSON.stringify(envelope);
  return { seq, at, envelope, text, bytes: Buffer.byteLength(text) };
}

export const eventsOf = (count: number, padding = ""): OutgoingEvent[] =>
  Array.from({ length: count }, (_, i) => eventOf(i + 1, padding));

/** An event with exactly this many bytes. */
export const eventOfBytes = (seq: number, bytes: number): OutgoingEvent =>
  eventOf(seq, "x".repeat(bytes - eventOf(seq).bytes));

/** A sender's context. `calls` records each URL that is called. */
export function contextOf(settings: Partial<DeliverySettings> = {}): SendContext & { calls: string[] } {
  const calls: string[] = [];
  const call = callerWithin(() => true);
  return {
    destinationId: "ed_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
    settings: {
      endpoints: {},
      allowedHosts: [],
      resolver: undefined,
      cloudKey: undefined,
      externalId: undefined,
      origin: "https://api.example.com",
      ...settings,
    },
    call: (url, ...rest) => {
      calls.push(url);
      return call(url, ...rest);
    },
    calls,
  };
}

/** Divides events into batches within a sender's limits. */
export function batchesOf(
  events: OutgoingEvent[],
  limits: { events: number; bytes: number; overhead: number },
): OutgoingEvent[][] {
  const batches: OutgoingEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = event.bytes + limits.overhead;
    const last = batches.at(-1);
    if (!last || last.length === limits.events || bytes + size > limits.bytes) {
      batches.push([event]);
      bytes = size;
    } else {
      last.push(event);
      bytes += size;
    }
  }
  return batches;
}
