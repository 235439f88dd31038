import { gunzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import type { Json } from "../../support/json.ts";
import type { Answer, Request } from "./receiver.ts";

/*
 * The types of destinations from the receivers' view: how a target and its requests name a destination, how to read the events
 * of a request, and how the receiver can respond.
 */

export interface Protocol {
  /** The target of a destination. Its name distinguishes its requests from those for other destinations of its type. */
  target: (name: string) => Json;
  /** The name of the destination that a request is for. */
  nameIn: (request: Request) => string;
  /** The events of a request, as JSON. @throws if the signature is wrong */
  eventsIn: (request: Request) => string[];
  /** All events were accepted. */
  taken: (count: number) => Answer;
  /** Throttled for this many seconds. */
  throttled: (seconds: number) => Answer;
  /** All events except these indexes were accepted; undefined if the protocol has no such response. */
  partly?: (count: number, failed: Set<number>) => Answer;
}

/** The webhooks' secret. */
const SECRET = `whsec_${Buffer.alloc(32, "delivery").toString("base64")}`;
const webhooks = new Webhook(SECRET);

/** Fields of the vendor's entries in addition to the event's fields. */
const ENTRY = new Set(["message", "ddsource", "ddtags", "service", "hostname"]);

const asText = (request: Request): string =>
  (request.headers["content-encoding"] === "gzip" ? gunzipSync(request.body) : request.body).toString();

const THROUGHPUT = "ProvisionedThroughputExceededException";
const JSON_1_1 = { "Content-Type": "application/x-amz-json-1.1" };

export const protocols = {
  webhook: {
    target: (name) => ({ webhook: { url: `https://receiver.example.com/${name}`, secret: SECRET } }),
    nameIn: ({ path }) => path.slice(1),
    eventsIn: ({ body, headers }) => {
      webhooks.verify(body, headers);
      const text = body.toString();
      if (JSON.parse(text).event_id !== headers["webhook-id"]) throw new Error("webhook-id is no event's id");
      return [text];
    },
    taken: () => ({ status: 204 }),
    throttled: (seconds) => ({ status: 429, headers: { "Retry-After": String(seconds) } }),
  },
  monitoring_vendor: {
    target: (name) => ({ monitoring_vendor: { api_key: name, service: "edge" } }),
    nameIn: ({ headers }) => headers["dd-api-key"] ?? "",
    eventsIn: (request) =>
      JSON.parse(asText(request)).map((entry: Json) =>
        JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([name]) => !ENTRY.has(name)))),
      ),
    taken: () => ({ status: 202, body: "{}" }),
    throttled: (seconds) => ({ status: 429, headers: { "Retry-After": String(seconds) } }),
  },
  cloud_stream: {
    target: (name) => ({
      cloud_stream: {
        auth: { creds: { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: "secret" } },
        stream_arn: `arn:aws:kinesis:eu-west-1:123456789012:stream/${name}`,
      },
    }),
    nameIn: ({ body }) => JSON.parse(body.toString()).StreamName,
    eventsIn: ({ body }) =>
      JSON.parse(body.toString()).Records.map(({ Data }: Json) => Buffer.from(Data, "base64").toString()),
    taken: (count) => partly(count, new Set()),
    throttled: () => ({
      status: 400,
      headers: JSON_1_1,
      body: JSON.stringify({ __type: `kinesis#${THROUGHPUT}` }),
    }),
    partly: (count, failed) => partly(count, failed),
  },
} as const satisfies Record<string, Protocol>;

export type ProtocolName = keyof typeof protocols;

const partly = (count: number, failed: Set<number>): Answer => ({
  status: 200,
  headers: JSON_1_1,
  body: JSON.stringify({
    FailedRecordCount: failed.size,
    Records: Array.from({ length: count }, (_, index) =>
      failed.has(index)
        ? { ErrorCode: THROUGHPUT, ErrorMessage: "Rate exceeded" }
        : { SequenceNumber: String(index), ShardId: "shardId-000000000000" },
    ),
  }),
});
