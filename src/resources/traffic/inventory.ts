import { timestamp } from "../../../packages/model/src/clock.ts";
import type { JudgedProblem } from "../../../packages/model/src/traffic/problems.ts";
import {
  lastQuarter,
  type ServedCertificate,
  wildcardFor,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { listeningPoint } from "../../../packages/model/src/values/hostports.ts";
import type { ShownOrder } from "../../issuing/order_statements.ts";
import type { SharedReport } from "./certificate_statements.ts";
import type { ManagedEdge } from "./snapshot_forms.ts";

/*
 * Which certificate each agent has for a host, and when it ends.
 */

/** A certificate that begins this much later is valid: clocks differ. In milliseconds. */
const CLOCK_TOLERANCE = 300_000;

export const certificateStates = [
  "valid",
  "ending",
  "pending",
  "failing",
  "paused",
  "missing",
  "unknown",
] as const;
type CertificateState = (typeof certificateStates)[number];

/** A certificate in a report. */
interface Held {
  report: SharedReport;
  certificate: ServedCertificate;
  isUsable: boolean;
  /** Whether it is in the last quarter of its life, or has ended. */
  isEnding: boolean;
}

/** The certificates for a host. */
export interface HostCertificates {
  state: CertificateState;
  /** The best one in each report; those that end first come first. */
  held: Held[];
  /** What agents ask the service for; empty if a file makes that unnecessary. */
  orders: ShownOrder[];
}

/** The most names in certificates that are looked at. */
const MOST_NAMES = 50_000;

/** The hosts of an edge that clients connect to with TLS, which ends at the edge. IPv6 addresses have no brackets. */
const hostsOf = ({ hostports, isTerminated }: ManagedEdge): string[] =>
  isTerminated
    ? [...new Set(hostports.map((hostport) => listeningPoint(hostport).host.replace(/^\[|\]$/g, "")))]
    : [];

/** The ids of edges by their hosts. */
export function edgesByHost(edges: readonly ManagedEdge[]): Map<string, string[]> {
  const byHost = new Map<string, string[]>();
  for (const edge of edges)
    for (const host of hostsOf(edge)) {
      const ids = byHost.get(host);
      if (ids) ids.push(edge.id);
      else byHost.set(host, [edge.id]);
    }
  return byHost;
}

export class Inventory {
  /** Whether all certificates of all agents are known. */
  readonly #isComplete: boolean;
  readonly #byHost = new Map<string, Held[]>();
  readonly #orders = new Map<string, ShownOrder[]>();
  readonly #now: number;

  /** @param now milliseconds since the Unix epoch */
  constructor(reports: readonly SharedReport[], now: number, orders: readonly ShownOrder[] = []) {
    this.#now = now;
    for (const order of orders) {
      const others = this.#orders.get(order.host);
      if (others) others.push(order);
      else this.#orders.set(order.host, [order]);
    }
    const [before, after] = [timestamp(now + CLOCK_TOLERANCE), timestamp(now)];
    let names = 0;
    for (const report of reports)
      for (const certificate of report.certificates) {
        const { hosts, not_before, not_after } = certificate;
        const isUsable = not_before <= before && not_after > after;
        const held = { report, certificate, isUsable, isEnding: lastQuarter(certificate) <= now };
        names += hosts.length;
        if (names > MOST_NAMES) break;
        for (const host of hosts) {
          const others = this.#byHost.get(host);
          if (others) others.push(held);
          else this.#byHost.set(host, [held]);
        }
      }
    const isWhole = names <= MOST_NAMES && reports.every(({ isComplete }) => isComplete);
    this.#isComplete = isWhole && reports.length > 0;
  }

  /** The hosts that certificates name, and those that agents ask for. */
  get hosts(): string[] {
    return [...this.#byHost.keys(), ...this.#orders.keys()];
  }

  /** What agents have for a host. @param isServed whether an edge has the host */
  of(host: string, isServed: boolean): HostCertificates {
    const wildcard = wildcardFor(host);
    const own = this.#byHost.get(host) ?? [];
    const covering = wildcard === undefined || wildcard === host ? [] : (this.#byHost.get(wildcard) ?? []);
    // As agents choose: a valid one, then one with the exact name, then the one that ends last.
    const best = bestIn(own);
    for (const [report, one] of bestIn(covering)) {
      const other = best.get(report);
      if (!other || (one.isUsable && !other.isUsable)) best.set(report, one);
    }
    const held = [...best.values()].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const isFile = held.some(({ certificate, isUsable }) => isUsable && certificate.source === "file");
    const orders = isFile ? [] : (this.#orders.get(host) ?? []);
    for (const one of held) if (one.certificate.source === "issued") one.isEnding = this.#isLate(one, orders);
    return { state: withOrders(this.#stateOf(held, isServed), orders), held, orders };
  }

  /** The renewal of an issued certificate should have been done: a tenth of its life has passed since. */
  #isLate({ report, certificate, isEnding }: Held, orders: readonly ShownOrder[]): boolean {
    const renewsAt = orders.find(({ agent }) => report.agents.includes(agent))?.renews_at ?? undefined;
    if (renewsAt === undefined) return isEnding;
    const [begin, end] = [Date.parse(certificate.not_before), Date.parse(certificate.not_after)];
    return Math.min(renewsAt + (end - begin) / 10, end) <= this.#now;
  }

  #stateOf(held: readonly Held[], isServed: boolean): CertificateState {
    if (isServed && !held.some(({ isUsable }) => isUsable)) {
      if (this.#isComplete) return "missing";
      if (held.length === 0) return "unknown";
    }
    return held.some(({ isEnding }) => isEnding) ? "ending" : "valid";
  }
}

/** What the service could not order is shown first, then what it orders for the first time. */
function withOrders(own: CertificateState, orders: readonly ShownOrder[]): CertificateState {
  const isSome = (wanted: ShownOrder["state"]): boolean => orders.some(({ state }) => state === wanted);
  if (isSome("paused")) return "paused";
  if (isSome("failing")) return "failing";
  return (own === "missing" || own === "unknown") && isSome("pending") ? "pending" : own;
}

/** The best certificate in each report. */
function bestIn(some: readonly Held[]): Map<SharedReport, Held> {
  const best = new Map<SharedReport, Held>();
  for (const one of some) {
    const other = best.get(one.report);
    const isLater = !other || one.certificate.not_after > other.certificate.not_after;
    if (!other || (one.isUsable === other.isUsable ? isLater : one.isUsable)) best.set(one.report, one);
  }
  return best;
}

/** Those that end first come first. */
const orderOf = ({ report, certificate }: Held): string => `${certificate.not_after} ${report.agents[0]}`;

/** The code of {@link endingProblems}. */
export const CERTIFICATE_ENDING = "certificate_ending";

/** The most hosts that a problem names. */
const NAMED = 5;

/** The edges with a certificate in the last quarter of its life. @param reports those with such a certificate */
export function endingProblems(
  edges: readonly ManagedEdge[],
  reports: readonly SharedReport[],
  now: number,
): JudgedProblem[] {
  if (reports.length === 0) return [];
  const inventory = new Inventory(reports, now);
  return edges.flatMap((edge) => {
    const ending = hostsOf(edge).flatMap((host) => {
      const held = inventory.of(host, false).held.filter(({ isEnding }) => isEnding);
      return held[0] ? [{ host, first: held[0], count: held.length }] : [];
    });
    if (ending.length === 0) return [];
    const named = ending.slice(0, NAMED).map(({ host, first: { report, certificate }, count }) => {
      const others = count > 1 ? ` and ${count - 1} more` : "";
      return `that for ${host} ends at ${certificate.not_after} on ${report.agents.join()}${others}`;
    });
    const more = ending.length > NAMED ? ` There are ${ending.length - NAMED} more.` : "";
    return [
      {
        object: edge.id,
        code: CERTIFICATE_ENDING,
        msg: `Less than a quarter of the life of a certificate is left: ${named.join("; ")}.${more} Renew it.`,
        effect: "warning" as const,
      },
    ];
  });
}
