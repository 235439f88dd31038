import type { StoredTarget } from "../db/column_types.ts";
import { failureOfStatus, gzip } from "./call.ts";
import { nameProblem, refusedUrl } from "./guarded_url.ts";
import { privateHost } from "./resolver.ts";
import {
  allAccepted,
  failed,
  isFailure,
  type OutgoingEvent,
  type SendContext,
  type Sender,
  type SendFailure,
  sendFailure,
} from "./sender.ts";

/*
 * Logs of Datadog, API v2: https://docs.datadoghq.com/api/latest/logs/#send-logs. The entries of a request are accepted all or none.
 */

type MonitoringVendor = NonNullable<StoredTarget["monitoring_vendor"]>;

const DEFAULT_SITE = "datadoghq.com";

const SITES = new Set([
  DEFAULT_SITE,
  "us3.datadoghq.com",
  "us5.datadoghq.com",
  "ap1.datadoghq.com",
  "ap2.datadoghq.com",
  "uk1.datadoghq.com",
  "datadoghq.eu",
  "ddog-gov.com",
  "us2.ddog-gov.com",
]);

const SOURCE = "edge-configuration";

/** The vendor's limits: 1,000 entries and 5 MB in a request before compression, 1 MB in an entry, which is cut beyond. */
const ENTRIES = 1_000;
const REQUEST_BYTES = 5_000_000;
const ENTRY_BYTES = 1_000_000;

/** Bytes of an entry in addition to its event, tags and service: field names, type, object id, host name, comma. */
const ENTRY_OVERHEAD = 1_000;

/** The most bytes of tags and service, which are in every entry. */
const LONGEST_TEXTS = 100_000;

const KEY_REFUSED = "The vendor rejected the API key. Check api_key, and that the key belongs to this site.";
const KEY_MALFORMED =
  "Nothing was sent: api_key has a character that a header cannot contain, such as a line break. Write the key again without it.";
const TAGS_TOO_LONG = `tags and service are sent with every entry: shorten them to at most ${LONGEST_TEXTS} bytes in total.`;
const words = { 401: KEY_REFUSED, 403: KEY_REFUSED };

const encoder = new TextEncoder();

/** Sends events as one request, with an entry for each. */
export const monitoringVendor: Sender<MonitoringVendor> = {
  limits(target) {
    const overhead = ENTRY_OVERHEAD + Math.min(textBytesOf(target), LONGEST_TEXTS);
    // Two bytes for the brackets of the list.
    return { events: ENTRIES, bytes: REQUEST_BYTES - 2, overhead, largest: ENTRY_BYTES - overhead };
  },

  async send(target, events, context) {
    if (textBytesOf(target) > LONGEST_TEXTS)
      return failed(sendFailure("configuration", "tags_too_long", TAGS_TOO_LONG));
    const intake = await intakeOf(target, context);
    if (typeof intake !== "string") return failed(intake);
    const hostname = URL.canParse(context.settings.origin) ? new URL(context.settings.origin).host : "";
    const entries = events.map((event) => entryOf(event, target, hostname));
    const reply = await context.call(`${intake}/api/v2/logs`, {
      method: "POST",
      headers: {
        "DD-API-KEY": target.api_key,
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
      },
      body: await gzip(encoder.encode(`[${entries.join(",")}]`)),
    });
    if (isFailure(reply)) return failed(reply);
    return reply.status >= 200 && reply.status < 300 ? allAccepted : failed(failureOfStatus(reply, words));
  },
};

/** The fields of a target that are in every entry. */
const textsOf = ({ tags, service }: MonitoringVendor) => ({
  ...(tags && { ddtags: tags }),
  ...(service !== undefined && { service }),
});

const textBytesOf = (target: MonitoringVendor): number =>
  encoder.encode(JSON.stringify(textsOf(target))).byteLength;

/** The event, preceded by the vendor's fields. */
function entryOf({ envelope, text }: OutgoingEvent, target: MonitoringVendor, hostname: string): string {
  const message = `${envelope.event_type} ${envelope.object.id}`;
  const own = JSON.stringify({ message, ddsource: SOURCE, ...textsOf(target), hostname });
  return `${own.slice(0, -1)},${text.slice(1)}`;
}

/** The origin to call, or the failure if it cannot be called. */
async function intakeOf(
  { api_key, site = DEFAULT_SITE }: MonitoringVendor,
  context: SendContext,
): Promise<string | SendFailure> {
  const { endpoints, allowedHosts } = context.settings;
  // `fetch` would throw for a value that is not valid in a header.
  if (!/^[\x21-\x7e]+$/.test(api_key)) return sendFailure("configuration", "malformed_key", KEY_MALFORMED);
  const elsewhere = endpoints["monitoring_vendor"];
  if (elsewhere !== undefined) return elsewhere;
  const host = `http-intake.logs.${site}`;
  if (SITES.has(site)) return `https://${host}`;
  if (!allowedHosts.includes(site) || nameProblem(site) !== undefined)
    return refusedUrl("site", `Expected one of ${[...SITES].join(", ")}, or one in ALLOWED_TARGET_HOSTS.`);
  return (await privateHost("site", host, context)) ?? `https://${host}`;
}
