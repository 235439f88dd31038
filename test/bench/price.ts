import type { Cost } from "../../src/db/session.ts";

/**
 * Dollars per million of each on the Workers Paid plan, beyond what it includes, according to
 * https://developers.cloudflare.com/workers/platform/pricing/ and https://developers.cloudflare.com/d1/platform/pricing/
 * on 2026-11-21.
 */
export const prices = {
  requests: 0.3,
  cpuMilliseconds: 0.02,
  rowsRead: 0.001,
  rowsWritten: 1,
  /** Operations of Cloudflare Queues: https://developers.cloudflare.com/queues/platform/pricing/ */
  queueOperations: 0.4,
  /** A gigabyte of Workers Logs, from December 2026. */
  logGigabyte: 0.25,
};
/** The size of a request's log line (GET of an edge with an API key), without what the platform adds to it. */
export const LOG_LINE_BYTES = 248;

/** Dollars for a million requests of an operation, by item. */
export function priceOf(cost: Cost, cpuMicroseconds: number, logBytes = 0) {
  const price = {
    requests: prices.requests,
    cpu: (cpuMicroseconds / 1000) * prices.cpuMilliseconds,
    rowsRead: cost.rowsRead * prices.rowsRead,
    rowsWritten: cost.rowsWritten * prices.rowsWritten,
    // The bytes of one request are the megabytes of a million.
    logs: (logBytes / 1000) * prices.logGigabyte,
  };
  return { ...price, all: Object.values(price).reduce((sum, part) => sum + part, 0) };
}
