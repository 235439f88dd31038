/*
 * The interface of senders. A sender puts events into the requests of one target's protocol and reads the responses. It does not
 * use the database or depend on the content of events.
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
  /** The secrets that the change set (JSON Pointers); omitted if unknown. */
  secrets_changed?: string[];
  operation_id: string;
  /** The plan whose application made the change. */
  plan_id?: string;
  /** The rules that were deleted with a policy. */
  rules?: object[];
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

/** An error, in the words of this service. Callers see it, so it contains no part of a receiver's response except the status. */
export interface SendError {
  /** `timeout`, `http_503`, `ThrottlingException`: short and stable. */
  code: string;
  /** The HTTP status, if there was a response. */
  status: number | null;
  /** A sentence that describes the error and, if the operator or the caller can fix it, the expected value. */
  msg: string;
}

/**
 * The reason why a request had no effect.
 *
 * - `retry`: may work later
 * - `configuration`: needs human action
 * - `suspend`: the receiver does not want further events
 * - `batch`: the receiver rejects this batch; a single event may be the cause
 */
export interface SendFailure {
  class: "retry" | "configuration" | "suspend" | "batch";
  error: SendError;
  /** The backoff that the receiver requested, in milliseconds, if it did. */
  retryAfter?: number;
}

/** A failure. @param status of the response, if there was one */
export const sendFailure = (
  kind: SendFailure["class"],
  code: string,
  msg: string,
  status: number | null = null,
): SendFailure => ({ class: kind, error: { code, status, msg } });

/** True for a failure, such as a call without a response or a target that cannot be called. */
export const isFailure = (result: object): result is SendFailure => "class" in result && "error" in result;

/** The outcome of one call of {@link Sender.send}. Events that it does not name were accepted. */
export interface Receipt {
  /** No event was accepted. `again` and `rejected` are then empty. */
  failure?: SendFailure;
  /** Events that were not accepted, and will be sent again. */
  again: OutgoingEvent[];
  /** The error of the events in `again`, if there are any. */
  againError?: SendError;
  /** Events that are never sent again, because the receiver rejects their content. */
  rejected: { event: OutgoingEvent; error: SendError }[];
}

/** The limits of one request. */
export interface BatchLimits {
  events: number;
  /** Bytes of all events, each with `overhead`. */
  bytes: number;
  /** Bytes that each event takes in addition to its text. */
  overhead: number;
  /** Bytes of the largest event: a larger one is sent with its object cut to id and URI. */
  largest: number;
}

/** The operator's settings, from the Worker's variables and secrets. */
export interface DeliverySettings {
  /** `TARGET_ENDPOINTS`: origins that replace a target's own, by field of the target, `sts` or `entra`. */
  endpoints: Partial<Record<string, string>>;
  /** `ALLOWED_TARGET_HOSTS`: additional allowed hosts, in lower case. */
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

/** A response, with as much of the body as the call requested. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a request; returns a `Failure` if there is no response. Does not follow redirects.
 *
 * @param responseBytes how much of the response is read; 64 KiB if omitted
 */
export type Transport = (
  url: string,
  init: RequestInit,
  responseBytes?: number,
) => Promise<Reply | SendFailure>;

/** The context of a sender, in addition to the events. */
export interface SendContext {
  destinationId: string;
  settings: DeliverySettings;
  /** Senders make every call through this. */
  call: Transport;
}

/** Sends events to one kind of target. Never throws because of a receiver. */
export interface Sender<Target> {
  limits(target: Target): BatchLimits;
  /** For targets that store files: how many bytes to wait for, and for how many milliseconds. */
  holds?(target: Target): { bytes: number; milliseconds: number };
  /** @param target with its secrets opened */
  send(target: Target, events: OutgoingEvent[], context: SendContext): Promise<Receipt>;
}

/** The receipt if all events were accepted. */
export const allAccepted: Receipt = { again: [], rejected: [] };

/** The receipt if no event was accepted. */
export const failed = (failure: SendFailure): Receipt => ({ failure, again: [], rejected: [] });
