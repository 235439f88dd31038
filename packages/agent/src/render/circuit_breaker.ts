import type { Route } from "../../../model/src/traffic/snapshot.ts";
import { returning } from "../base/own_responses.ts";
import type { Output } from "./output.ts";

type CircuitBreaker = NonNullable<Route["circuit_breaker"]>;

/** HAProxy's longest time in seconds: it counts milliseconds in 31 bits. */
const LONGEST = 2_147_483;
/** Represents a share of 1, because HAProxy compares integers. */
const ALL = 1_000_000;
/** The size of a stick table. HAProxy drops the least recently used circuits. */
const ROWS = "100k";

/** Milliseconds, as far as the 32 bits of a general purpose tag hold them: for 49 days. */
const NOW = "date(0,ms),mod(4294967295)";

/**
 * Adds the stick tables of a circuit: statistics for each window length, and trips for each duration. Circuits share them. Returns their
 * names.
 */
function tablesOf(routeId: string, { rolling_window, tripped_duration }: CircuitBreaker, output: Output) {
  if (rolling_window > LONGEST || tripped_duration > LONGEST) {
    output.problem(
      routeId,
      "circuit_breaker_shortened",
      `Served, but rolling_window and tripped_duration are limited to ${LONGEST} seconds, the longest time that HAProxy supports.`,
    );
  }
  const window = Math.min(rolling_window, LONGEST);
  const duration = Math.min(tripped_duration, LONGEST);
  const names = { statistics: `cb_window_${window}`, trips: `cb_open_${duration}`, duration };
  const table = (name: string, spec: string) => output.table(name, `type string len 64 size ${ROWS} ${spec}`);
  // How often each circuit has tripped. Its statistics start over after each trip.
  table("cb_epochs", `expire ${LONGEST}s store gpc0`);
  const expire = Math.min(window * 3, LONGEST);
  table(names.statistics, `expire ${expire}s store gpc0,gpc0_rate(${window}s),gpc1,gpc1_rate(${window}s)`);
  // When each circuit has tripped last. A reload renews the time that rows have left, so that does not say whether a circuit is open.
  table(names.trips, `expire ${duration}s store gpt0`);
  return names;
}

/**
 * The rules of a circuit breaker. The circuit trips once the rolling window has at least `volume_threshold` responses and the share of
 * failures has reached `error_threshold_percentage`. Failures are statuses 5xx except 501 and 505, and unreachable upstreams. Requests
 * then get a 503 for `tripped_duration` seconds, and statistics start over. They use a new row after each trip, because HAProxy's rates
 * cover up to two windows and would trip the circuit again. Routes with the same modules share these rules, so the route is a variable.
 * `num_buckets` has no counterpart. A duration of 0 disables the circuit breaker.
 *
 * A request that waits for its response counts as neither, so a slow upstream with many requests at once trips the circuit too. The
 * successes are counted, not the failures: HAProxy rounds rates of earlier windows down, so failures could stay one below the responses
 * forever. A success is counted before its response, so no other thread sees the response alone.
 */
export function circuitBreakerLines(
  { id, circuit_breaker: circuit }: Pick<Route, "id" | "circuit_breaker">,
  output: Output,
): string[] {
  if (!circuit || circuit.tripped_duration === 0) return [];
  const { statistics, trips, duration } = tablesOf(id, circuit, output);
  const failing = Math.round(circuit.error_threshold_percentage * ALL);
  const open = `http-request ${returning(503)} hdr x-circuit open`;
  return [
    `http-request set-var(txn.tripped) var(txn.route),table_gpt0(${trips})`,
    // If the clock was set, the circuit closes.
    `http-request set-var(txn.since) ${NOW},sub(txn.tripped)`,
    `${open} if { var(txn.route),in_table(${trips}) } { var(txn.since) -m int ge 0 } { var(txn.since) -m int lt ${duration * 1000} }`,
    "http-request track-sc2 var(txn.route) table cb_epochs",
    "http-request set-var(txn.epoch) sc_get_gpc0(2)",
    "http-request set-var(txn.circuit) var(txn.route),concat(:,txn.epoch)",
    `http-request track-sc0 var(txn.circuit) table ${statistics}`,
    "http-request set-var(txn.successes) sc_gpc0_rate(0)",
    "http-request set-var(txn.responses) sc_gpc1_rate(0)",
    "http-after-response set-var(txn.counted) sc_inc_gpc0(0) if !{ status 500 502:504 506:599 }",
    "http-after-response set-var(txn.counted) sc_inc_gpc1(0)",
    `acl circuit_volume var(txn.responses) -m int ge ${Math.max(1, circuit.volume_threshold)}`,
    `acl circuit_failing var(txn.successes),mul(${ALL}),div(txn.responses) -m int le ${ALL - failing}`,
    "http-request sc-inc-gpc0(2) if circuit_volume circuit_failing",
    `http-request track-sc1 var(txn.route) table ${trips} if circuit_volume circuit_failing`,
    `http-request sc-set-gpt0(1) ${NOW} if circuit_volume circuit_failing`,
    `${open} if circuit_volume circuit_failing`,
  ];
}
