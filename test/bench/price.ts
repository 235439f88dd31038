import type { Cost } from "../../src/db/calls.ts";

/**
 * Dollars for a million of each, on the Workers Paid plan past what it includes, as
 * https://developers.cloudflare.com/workers/platform/pricing/ and https://developers.cloudflare.com/d1/platform/pricing/
 * said when {@link PRICES_READ}.
 */
export const prices = {
  requests: 0.3,
  cpuMilliseconds: 0.02,
  rowsRead: 0.001,
  rowsWritten: 1,
  /** A gigabyte of Workers Logs, from December 2026. */
  logGigabyte: 0.25,
};
/** Of the log line of a request: GET of an edge with an API key. What the platform adds to it is not known. */
export const LOG_LINE_BYTES = 248;
export const PRICES_READ = "2026-11-21";

/** Dollars that a million requests of an operation cost, by what is paid for. */
export function priceOf(cost: Cost, cpuMicroseconds: number, logBytes = 0) {
  const price = {
    requests: prices.requests,
    cpu: (cpuMicroseconds / 1000) * prices.cpuMilliseconds,
    rowsRead: cost.rowsRead * prices.rowsRead,
    rowsWritten: cost.rowsWritten * prices.rowsWritten,
    // A million requests are as many megabytes as one is bytes.
    logs: (logBytes / 1000) * prices.logGigabyte,
  };
  return { ...price, all: Object.values(price).reduce((sum, part) => sum + part, 0) };
}
