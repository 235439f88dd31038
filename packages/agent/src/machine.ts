import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { Problem } from "../../model/src/traffic/problems.ts";
import type { Edge, Snapshot } from "../../model/src/traffic/snapshot.ts";
import { HostAddresses } from "./addresses.ts";
import type { Options } from "./args.ts";
import { CertificateFolder } from "./certificate_folder.ts";
import { savedCertificates } from "./certificate_trial.ts";
import { Certificates } from "./certificates.ts";
import type { Context } from "./context.ts";
import { isThisMachine, listenerGuard, ownAddresses, upstreamGuard } from "./guard.ts";
import { Issuers } from "./issuers.ts";
import { fetchKeys } from "./key_set_client.ts";
import { KeySets } from "./key_sets.ts";
import { Listeners } from "./listeners.ts";
import { parseHostport } from "./render/hostport.ts";
import type { Settings } from "./render/render.ts";
import { addressesFile, keySetsFile } from "./state_files.ts";
import { logSettings } from "./traffic.ts";

/**
 * What a configuration depends on in addition to the snapshot: this machine's certificates, DNS and ports, key sets, and the agent's
 * options.
 */
export class Machine {
  readonly certificates: Certificates;
  readonly issuers: Issuers;
  readonly addresses: HostAddresses;
  readonly keySets: KeySets;
  readonly listeners = new Listeners();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
    const { options, state } = context;
    const saved = savedCertificates(state);
    this.certificates = new Certificates([
      new CertificateFolder(
        options.certificates,
        "file",
        saved.filter(({ source }) => source === "file"),
      ),
      // In `--check`, the state of the context is another one.
      ...(options.issues
        ? [
            new CertificateFolder(
              options.state,
              "issued",
              saved.filter(({ source }) => source === "issued"),
            ),
          ]
        : []),
    ]);
    this.issuers = options.issues ? Issuers.saved(state) : new Issuers(undefined);
    const { hostname } = new URL(options.service);
    const host = isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? hostname : undefined;
    this.addresses = new HostAddresses(state.read("names.json", addressesFile) ?? {}, host);
    this.keySets = new KeySets(state.read("key_sets.json", keySetsFile) ?? {}, (url) =>
      fetchKeys(url, {
        addressesOf: (name) => this.#usableAddresses(name),
        ...(options.upstreamRoots !== undefined && { roots: options.upstreamRoots }),
      }),
    );
  }

  /** The addresses of a host that requests can go to. */
  #usableAddresses(host: string): string[] {
    const addresses = isIP(host) === 0 ? (this.addresses.of(host) ?? []) : [host];
    return addresses.filter(upstreamGuard(this.#context.options.allowUpstreams));
  }

  /** Fetches the key sets that are due. Resolves to whether any has changed. */
  async refreshKeySets(snapshot: Snapshot): Promise<boolean> {
    if (this.#context.options.ignoreTrafficPolicies) return false;
    const hasChanged = await this.keySets.refresh(snapshot);
    if (hasChanged) this.#context.state.write("key_sets.json", this.keySets.saved);
    return hasChanged;
  }

  /** Looks up all host addresses of a snapshot. Resolves to whether an address has changed. */
  async refreshAddresses(snapshot: Snapshot): Promise<boolean> {
    const hasChanged = await this.addresses.refresh(snapshot);
    if (hasChanged) this.#context.state.write("names.json", this.addresses.saved);
    return hasChanged;
  }

  /**
   * The settings for rendering.
   *
   * @param directory of the release
   * @param rejected ids of edges and routes that HAProxy does not accept
   */
  settings(directory: string, rejected: ReadonlySet<string> = new Set()): Settings {
    const { options, state, haproxy } = this.#context;
    const log = logSettings(this.#context);
    return {
      directory,
      sockets: state.sockets,
      certificateFor: (host) => this.certificates.bestFor(host),
      certificateIgnoredFor: (host) => this.certificates.ignoredFor(host),
      resolve: this.addresses.of,
      isUpstreamAllowed: upstreamGuard(options.allowUpstreams),
      objectionTo: listenerGuard({
        ...options,
        servicePort: this.#servicePort(),
        metricsPorts: metricsPorts(options),
      }),
      isWanted: (hostport) => isInScope(options, hostport) && this.listeners.isAvailable(hostport),
      ignoreTrafficPolicies: options.ignoreTrafficPolicies,
      keySetOf: this.keySets.of,
      rejected,
      haproxy: haproxy.numbers,
      dropsTrailers: haproxy.dropsTrailers,
      upstreamTimeout: options.upstreamTimeout,
      ...(options.upstreamRoots !== undefined && { upstreamRoots: options.upstreamRoots }),
      ...(options.proxyMetrics && { metrics: options.proxyMetrics }),
      ...(log && { log }),
      ipv6: this.listeners.hasIpv6,
      http: {
        port: options.ports.http,
        httpsPort: options.ports.https,
        isRedirected: options.redirectHttp,
        thumbprintFor: this.issuers.areOffered ? this.issuers.thumbprintFor : undefined,
        objectionTo: (address) => this.listeners.objectionTo(address, options.ports.http),
      },
    };
  }

  /** A digest of an edge's certificates. */
  certificatesOf({ hostports }: Edge): string {
    const contents = hostports.map((hostport) => {
      const { address, host } = parseHostport(hostport);
      return this.certificates.bestFor(address ?? host)?.content;
    });
    return hash("sha256", JSON.stringify(contents), "base64");
  }

  /** Edges that are not served because of a port or an address of this machine. */
  listenerProblems(snapshot: Snapshot): Problem[] {
    return this.listeners.problems(snapshot, (hostport) => isInScope(this.#context.options, hostport));
  }

  /** What settings depend on: with the same text, those for the same directory and the same rejected ids give the same answers. */
  get revision(): string {
    const parts = [this.certificates, this.issuers, this.addresses, this.keySets, this.listeners];
    return JSON.stringify([parts.map(({ revision }) => revision), ownAddresses()]);
  }

  /** The port of the service if it is on this machine. */
  #servicePort(): number | undefined {
    const { protocol, hostname, port } = new URL(this.#context.options.service);
    if (!isThisMachine(hostname, this.addresses.of)) return undefined;
    return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }
}

const metricsPorts = ({ metrics, proxyMetrics }: Options): number[] =>
  [metrics, proxyMetrics].flatMap((endpoint) => endpoint?.port ?? []);

const isInScope = ({ only }: Options, hostport: string): boolean =>
  only.size === 0 || only.has(hostport) || only.has(hostport.slice(hostport.lastIndexOf(":")));
