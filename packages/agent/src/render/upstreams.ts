import { hash } from "node:crypto";
import type { Backend } from "../../../model/src/traffic/snapshot.ts";
import { quote } from "../base/quote.ts";
import { rejectionBy, scopeOf, setter } from "../base/rules.ts";
import { fixedResponse } from "./fixed_responses.ts";
import { bracketed, parseHostport } from "./hostport.ts";
import { ENTRY_FIELDS } from "./maps.ts";
import type { Output } from "./output.ts";
import type { Mode, Server, ForwardTarget, Tier } from "./parts.ts";
import { staticAddresses } from "./static_addresses.ts";

/*
 * The `backend` sections. Edges and routes with the same backend and modules share one. If the backend is one static upstream, all
 * with the same modules share one, and the map `entries` has the upstream. So another upstream needs no reload.
 *
 * Flattens other backends. A failover backend becomes its leaves in order, however deeply it is nested. HAProxy distributes traffic to the
 * servers of a `backend` section by weight, and uses its `backup` servers in order when none of the others is left: together, a
 * weighted backend followed by leaves. Each later weighted backend begins another section, whose name ends in its number, and
 * HAProxy uses the first section with a usable server (`nbsrv`).
 */

/** Where traffic for a backend goes. @param modules lines of the section, which depend on no edge or route */
export function targetOf(
  mode: Mode,
  backendId: string,
  output: Output,
  modules: readonly string[] = [],
): ForwardTarget {
  const tiers = tiersOf(backendId, output);
  const prefix = modules.length === 0 ? mode : `${mode}_${digest(modules)}`;
  const upstream = onlyUpstream(tiers);
  if (upstream) {
    const section = `${prefix}_any${upstream.name === "" ? "" : "_tls"}`;
    output.once(output.known.sections, section, [], (own) =>
      anySection(section, mode, upstream.name !== "", modules, own),
    );
    return { section, upstream };
  }
  const section = `${prefix}_${backendId}`;
  output.add({ is: "servers", set: { name: section, mode, backendId, tiers, modules } });
  return { section };
}

/**
 * A section for any static upstream. Its server has no address of its own: if setting the destination failed, HAProxy would call
 * itself. So it first checks that the entry has an address and a port, and for TLS a name, without which HAProxy would
 * accept any certificate.
 */
function anySection(
  section: string,
  mode: Mode,
  isTls: boolean,
  modules: readonly string[],
  output: Output,
): void {
  const rule = mode === "http" ? "http-request" : "tcp-request content";
  const [scope, set, rejection] = [scopeOf(rule), setter(rule), rejectionBy(rule, 503)];
  const entry = (field: keyof typeof ENTRY_FIELDS) => `var(${scope}.entry),field(${ENTRY_FIELDS[field]},~)`;
  const tls = `ssl verify required ca-file ${quote(rootsOf(output))} sni var(${scope}.name) no-ssl-reuse`;
  output.section("backend", section, [
    `mode ${mode}`,
    set("address", `${entry("address")},ipmask(32,128)`),
    set("port", `${entry("port")},add(0)`),
    `${rejection} unless { var(${scope}.address) -m found }`,
    `${rejection} unless { var(${scope}.port) -m int 1:65535 }`,
    ...(isTls ? [set("name", entry("name")), `${rejection} unless { var(${scope}.name) -m len gt 0 }`] : []),
    // Policies ask which address the client called.
    ...modules,
    `${rule} set-dst var(${scope}.address)`,
    `${rule} set-dst-port var(${scope}.port)`,
    `server any 0.0.0.0:0${isTls ? ` ${tls}` : ""}`,
  ]);
}

const rootsOf = ({ settings }: Output): string => settings.upstreamRoots ?? "@system-ca";

/**
 * The tiers that a backend tries, in order. A backend that occurs twice only counts the first time, because shared backends can
 * multiply without limit. Not recursive, because nesting can be deep.
 */
function tiersOf(backendId: string, output: Output): Tier[] {
  const tiers: Tier[] = [];
  const seen = new Set<string>();
  const open = [backendId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const backend = output.backend(id);
    if (!backend || seen.has(id)) continue;
    seen.add(id);
    if (backend.kind === "failover") open.push(...backend.backends.toReversed());
    else tiers.push(...tierOf(id, backend, output));
  }
  return tiers;
}

/** A tier in a list; an empty list if the backend has no servers. */
function tierOf(id: string, backend: Exclude<Backend, { kind: "failover" }>, output: Output): Tier[] {
  const weights = backend.kind === "weighted" ? Object.entries(backend.backends) : [[id, 1] as const];
  const leaves = weights
    // A leaf with weight 0 gets no traffic.
    .filter(([, weight]) => weight > 0)
    .map(([leaf, weight]) => ({ servers: serversOf(leaf, output), weight }))
    .filter(({ servers }) => servers.length > 0);
  return leaves.length === 0 ? [] : [{ leaves }];
}

/** The servers of a leaf; none if it cannot be used. */
function serversOf(backendId: string, output: Output): readonly Server[] {
  const backend = output.backend(backendId);
  if (!backend) return [];
  return output.once(output.known.servers, backendId, [backend], (own) => leafOf(backendId, backend, own));
}

function leafOf(backendId: string, backend: Backend, output: Output): Server[] {
  if (backend.kind === "static") return staticServers(backendId, backend, output);
  const socket = backend.kind === "http_response" ? fixedResponse(backendId, backend, output) : undefined;
  return socket === undefined
    ? []
    : [{ name: backendId, target: `${quote(`unix@${socket}`)} send-proxy-v2` }];
}

function staticServers(
  backendId: string,
  { address, tls }: Extract<Backend, { kind: "static" }>,
  output: Output,
): Server[] {
  const { host, port } = parseHostport(address);
  return staticAddresses(backendId, address, tls, output).map((ip) => ({
    name: backendId,
    target: `${quote(`${bracketed(ip)}:${port}`)}${tls ? ` ${tlsOptions(host.replace(/\.$/, ""), rootsOf(output))}` : ""}`,
    upstream: { address: ip, port, name: tls ? host.replace(/\.$/, "") : "" },
  }));
}

function tlsOptions(host: string, roots: string): string {
  const name = quote(host);
  return `ssl verify required ca-file ${quote(roots)} sni ${quote(`str(${host})`)} verifyhost ${name} check-sni ${name}`;
}

/** The upstream of a backend that is one static upstream. */
function onlyUpstream(tiers: readonly Tier[]): ForwardTarget["upstream"] {
  const servers = tiers.flatMap(({ leaves }) => leaves.flatMap(({ servers }) => servers));
  return servers.length === 1 ? servers[0]?.upstream : undefined;
}

const digest = (lines: readonly string[]) => hash("sha256", lines.join("\n")).slice(0, 32);
