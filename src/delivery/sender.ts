/*
 * What every sender has in common. A sender puts events into the requests of one target's protocol and reads the
 * responses; it knows neither the database nor what an event is about.
 */

/** The JSON object that is sent for an event. */
export interface Envelope {
  /** `ev_` and 27 characters; the same at every attempt. */
  event_id: string;
  /** `{kind}_{verb}.v{n}` */
  event_type: string;
  /** RFC 3339, UTC, whole seconds: when it happened. */
  event_timestamp: string;
  account_id: string;
  /** Who changed the object; null for test events. */
  principal: object | null;
  /** The object as the API shows it: after the change, or before its deletion. */
  object: { id: string; uri: string };
  operation_id: string;
  /** True only if `object` was cut to its id and URI. */
  truncated?: true;
}

/** An event, ready to be sent. */
export interface OutgoingEvent {
  /** Its number in the log: orders the events of a destination. */
  seq: number;
  /** Milliseconds since the Unix epoch: when it happened. */
  at: number;
  envelope: Envelope;
  /** The envelope as compact JSON. */
  text: string;
  /** Bytes of `text` in UTF-8. */
  bytes: number;
}

/** What failed, in our own words: shown to callers, so nothing of a receiver's response but its status. */
export interface SendError {
  /** `timeout`, `http_503`, `ThrottlingException`: short and stable. */
  code: string;
  /** The HTTP status, if there was a response. */
  status: number | null;
  /** A sentence that says what is wrong, and what would be right if the operator or the caller can mend it. */
  msg: string;
}

/**
 * Why a request had no effect.
 *
 * - `retry`: may work later
 * - `configuration`: works once somebody has changed something
 * - `suspend`: the receiver wants nothing more
 * - `batch`: the receiver refuses these events together; one of them alone may be the cause
 */
export interface Failure {
  class: "retry" | "configuration" | "suspend" | "batch";
  error: SendError;
  /** Milliseconds until the next attempt that the receiver asked for, if it did. */
  retryAfter?: number;
}

/** What became of the events of one call of {@link Sender.send}. Those that are not named in it were taken. */
export interface Receipt {
  /** No event was taken. `again` and `refused` are empty then. */
  failure?: Failure;
  /** Not taken; to be sent again. */
  again: OutgoingEvent[];
  /** The error of those in `again`, if there are any. */
  againError?: SendError;
  /** Never to be sent again: the receiver refuses each of them for what it is. */
  refused: { event: OutgoingEvent; error: SendError }[];
}

/** How much one request may hold. */
export interface BatchLimits {
  events: number;
  /** Bytes of all events, each with `overhead`. */
  bytes: number;
  /** Bytes that each event takes besides its text. */
  overhead: number;
  /** Bytes of the largest event: a larger one is sent with its object cut to id and URI. */
  largest: number;
}

/** Settings of the operator, from the Worker's variables and secrets. */
export interface DeliverySettings {
  /** `TARGET_ENDPOINTS`: origins to be called in place of a target's own, by member of the target, `sts` or `entra`. */
  endpoints: Partial<Record<string, string>>;
  /** `ALLOWED_TARGET_HOSTS`: hosts, lower-case, allowed besides those of the vendors. */
  allowedHosts: string[];
  /** `RESOLVER`: URL of a DNS-over-HTTPS resolver. */
  resolver: string | undefined;
  /** `CLOUD_ACCESS_KEY_ID`, `CLOUD_SECRET_ACCESS_KEY`: the service's own, to assume roles with. */
  cloudKey: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** `CLOUD_EXTERNAL_ID` */
  externalId: string | undefined;
  /** The origin in the URIs of events: `BASE_URL`, or that of the request. */
  origin: string;
}

/** A response, read as far as the call asked for. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Makes a request; a `Failure` if there is no response. Follows no redirect.
 *
 * @param responseBytes how much of the response is read; 64 KiB if left out
 */
export type Caller = (url: string, init: RequestInit, responseBytes?: number) => Promise<Reply | Failure>;

/** What a sender is given besides the events. */
export interface SendContext {
  destinationId: string;
  settings: DeliverySettings;
  /** The only way out. */
  call: Caller;
}

/** Sends events to one kind of target. Never throws for what a receiver does. */
export interface Sender<Target> {
  limits(target: Target): BatchLimits;
  /** For targets that take files: how many bytes to wait for, and how long (milliseconds). */
  holds?(target: Target): { bytes: number; milliseconds: number };
  /** @param target with its secrets opened */
  send(target: Target, events: OutgoingEvent[], context: SendContext): Promise<Receipt>;
}

/** The receipt when all events were taken. */
export const allTaken: Receipt = { again: [], refused: [] };

/** The receipt when none was taken. */
export const failed = (failure: Failure): Receipt => ({ failure, again: [], refused: [] });
