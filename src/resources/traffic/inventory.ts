import type { JudgedProblem } from "../../../packages/model/src/traffic/problems.ts";
import {
  lastQuarter,
  type ServedCertificate,
  wildcardFor,
} from "../../../packages/model/src/traffic/served_certificates.ts";
import { listeningPoint } from "../../../packages/model/src/values/hostports.ts";
import type { SharedReport } from "./certificate_statements.ts";
import type { ManagedEdge } from "./snapshot_forms.ts";

/*
 * Which certificate each agent has for a host, and when it ends.
 */

/** A certificate that begins this much later is valid: clocks differ. In milliseconds. */
const CLOCK_TOLERANCE = 300_000;

export const certificateStates = ["valid", "ending", "missing", "unknown"] as const;
type CertificateState = (typeof certificateStates)[number];

/** A certificate, and the agents that have it. */
interface Held {
  agents: readonly string[];
  certificate: ServedCertificate;
}

/** The certificates for a host. */
export interface HostCertificates {
  state: CertificateState;
  /** The best one in each report; those that end first come first. */
  held: Held[];
}

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
  readonly #now: number;
  /** Whether all certificates of all agents are known. */
  readonly #isComplete: boolean;
  readonly #byHost = new Map<string, { report: SharedReport; certificate: ServedCertificate }[]>();

  /** @param now milliseconds since the Unix epoch */
  constructor(reports: readonly SharedReport[], now: number) {
    this.#now = now;
    this.#isComplete = reports.length > 0 && reports.every(({ isComplete }) => isComplete);
    for (const report of reports)
      for (const certificate of report.certificates)
        for (const host of certificate.hosts) {
          const entry = { report, certificate };
          const entries = this.#byHost.get(host);
          if (entries) entries.push(entry);
          else this.#byHost.set(host, [entry]);
        }
  }

  /** The hosts that certificates name. */
  get hosts(): Iterable<string> {
    return this.#byHost.keys();
  }

  /** What agents have for a host. @param isServed whether an edge has the host */
  of(host: string, isServed: boolean): HostCertificates {
    const wildcard = wildcardFor(host);
    const own = this.#byHost.get(host) ?? [];
    const covering = wildcard === undefined || wildcard === host ? [] : (this.#byHost.get(wildcard) ?? []);
    const best = new Map<SharedReport, { certificate: ServedCertificate; isExact: boolean }>();
    for (const [entries, isExact] of [[own, true] as const, [covering, false] as const])
      for (const { report, certificate } of entries) {
        const other = best.get(report);
        if (!other || this.#isBetter({ certificate, isExact }, other))
          best.set(report, { certificate, isExact });
      }
    const held = Array.from(best, ([{ agents }, { certificate }]) => ({ agents, certificate })).toSorted(
      (a, b) =>
        `${a.certificate.not_after} ${a.agents[0]}` < `${b.certificate.not_after} ${b.agents[0]}` ? -1 : 1,
    );
    return { state: this.#stateOf(held, isServed), held };
  }

  /** As agents choose: a valid one, then one with the exact name, then the one that ends last. */
  #isBetter(
    a: { certificate: ServedCertificate; isExact: boolean },
    b: { certificate: ServedCertificate; isExact: boolean },
  ): boolean {
    const [isValid, isOtherValid] = [this.#isUsable(a.certificate), this.#isUsable(b.certificate)];
    if (isValid !== isOtherValid) return isValid;
    if (a.isExact !== b.isExact) return a.isExact;
    return a.certificate.not_after > b.certificate.not_after;
  }

  #isUsable({ not_before, not_after }: ServedCertificate): boolean {
    return Date.parse(not_before) <= this.#now + CLOCK_TOLERANCE && Date.parse(not_after) > this.#now;
  }

  #stateOf(held: readonly Held[], isServed: boolean): CertificateState {
    if (isServed && !held.some(({ certificate }) => this.#isUsable(certificate))) {
      if (this.#isComplete) return "missing";
      if (held.length === 0) return "unknown";
    }
    return held.some(({ certificate }) => lastQuarter(certificate) <= this.#now) ? "ending" : "valid";
  }
}

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
      const held = inventory
        .of(host, false)
        .held.filter(({ certificate }) => lastQuarter(certificate) <= now);
      return held[0] ? [{ host, first: held[0], count: held.length }] : [];
    });
    if (ending.length === 0) return [];
    const named = ending.slice(0, NAMED).map(({ host, first: { agents, certificate }, count }) => {
      const others = count > 1 ? ` and ${count - 1} more` : "";
      return `that for ${host} ends at ${certificate.not_after} on ${agents.join()}${others}`;
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
