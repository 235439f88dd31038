import { ownStatuses, ownText } from "../../../model/src/policy/own_responses.ts";
import { ringSection } from "../base/log_line.ts";
import { content, returning } from "../base/own_responses.ts";
import { quote } from "../base/quote.ts";
import type { Collected } from "./collected.ts";
import { SPACE_FOR_HEADERS } from "./headers.ts";
import { bracketed } from "./hostport.ts";
import { BASE, type Output, PEERS } from "./output.ts";

export const DROP_TRAILERS = "option http-drop-request-trailers";

/** The name of this process among its peers. */
const LOCAL = "local";
/** The size of a buffer for ordinary requests and responses. Each connection has two buffers. */
const BUFFER = 32_768;
/** The size of a buffer for the largest body of a fixed response (see `fixed_responses.ts`) with its headers and added headers. */
const LARGE_BUFFER = 98_304;
/** The largest body that fits into an ordinary buffer. */
const BODY_IN_BUFFER = 8192;

/** The global section, the defaults of all sections, and sections that always exist. */
export function globalSection(output: Output, { largestBody, hasTables }: Collected): string {
  const { dropsTrailers = false, upstreamTimeout = 60 } = output.settings;
  return `# Written by edge-agent, which overwrites manual changes.
global
    stats socket ${quote(output.socket("admin"))} mode 600 level admin expose-fd listeners
    # An agent holds a connection while another worker loads a configuration.
    stats timeout 3m
    # Internal sockets trust the source address that they receive, so no other user can write to them.
    unix-bind mode 600
    hard-stop-after 10m
    localpeer ${LOCAL}
    # Without a limit, HAProxy sizes itself for all descriptors that the system allows.
    fd-hard-limit 200000
    spread-checks 10
    tune.bufsize ${largestBody > BODY_IN_BUFFER ? LARGE_BUFFER : BUFFER}
    # Space for the headers that modules add to a message whose body fills the buffer.
    tune.maxrewrite ${SPACE_FOR_HEADERS}
    # Off, because all listeners would share the TLS session cache. A ticket is only valid for one listener.
    tune.ssl.cachesize 0
    tune.ssl.default-dh-param 2048
    ssl-default-bind-options ssl-min-ver TLSv1.2
    ssl-server-verify required

defaults ${BASE}
    # Only logs servers that are down. Frontends have another log, and backends that a reload stops are not logged.
    log stdout format raw local0 err
    mode tcp${dropsTrailers ? `\n    ${DROP_TRAILERS}` : ""}
    timeout connect 2s
    timeout client 1m
    timeout server ${upstreamTimeout}s
    timeout tunnel 1h
    timeout http-request 10s
    # Also how long a replaced worker waits for idle connections (idle-close-on-response), which delays further reloads.
    timeout http-keep-alive 10s
    retries 3
    option redispatch 1
${errors}
    default-server inter 1s fall 2 rise 2 observe layer4 error-limit 1 on-error mark-down
${hasTables ? peersSection(output) : ""}${output.settings.log ? `\n${ringSection(output.settings.log)}\n` : ""}

backend closed from ${BASE}
    tcp-request content reject

backend unserved from ${BASE}
    mode http
    http-request ${returning(503)}${metricsSection(output)}`;
}

/** HAProxy's own responses. It makes no other one with a status of ours. */
const errors = ownStatuses
  .filter((status) => status !== 421)
  .map((status) => `    http-error status ${status} ${content(ownText(status) ?? "")}`)
  .join("\n");

/** A process that is replaced hands its stick tables to the new one by the peers protocol, as if to another machine. There are no others. */
function peersSection(output: Output): string {
  return `\npeers ${PEERS}\n    peer ${LOCAL} ${quote(`unix@${output.socket("peers")}`)}\n`;
}

/** HAProxy's own metrics for Prometheus. */
function metricsSection({ settings: { metrics } }: Output): string {
  if (!metrics) return "";
  return `

frontend metrics from ${BASE}
    mode http
    no log
    bind ${quote(`${bracketed(metrics.address)}:${metrics.port}`)}
    http-request use-service prometheus-exporter if { path /metrics } { method GET }
    http-request ${returning(404)}`;
}
