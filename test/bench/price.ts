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
};
export const PRICES_READ = "2026-11-21";

/** Dollars that a million requests of an operation cost, by what is paid for. */
export function priceOf(cost: Cost, cpuMicroseconds: number) {
  const price = {
    requests: prices.requests,
    cpu: (cpuMicroseconds / 1000) * prices.cpuMilliseconds,
    rowsRead: cost.rowsRead * prices.rowsRead,
    rowsWritten: cost.rowsWritten * prices.rowsWritten,
  };
  return { ...price, all: price.requests + price.cpu + price.rowsRead + price.rowsWritten };
}
