import type { X509Certificate } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Agent, startAgent } from "../traffic/agent.ts";
import type { IssuingService } from "./world.ts";

/*
 * Real agents with HAProxy, and edges for them.
 */

/** Starts an agent without certificate files. @param ports the ports that it uses instead of 80 and 443, separated by a space */
export async function newAgent(
  service: IssuingService,
  name: string,
  ports: string,
  more: string[] = [],
): Promise<Agent> {
  const { token } = await service.call("POST", "/api_keys", { role: "agent" });
  const certificates = mkdtempSync(join(tmpdir(), "ec-"));
  const options = { origin: service.origin, key: String(token), name, certificates, more };
  return startAgent({ ...options, env: { EDGE_AGENT_TEST_PORTS: ports } });
}

/** Creates an HTTPS edge with a page. Returns its id. @param more members of its route */
export async function newEdge(
  service: IssuingService,
  hostports: string[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await service.call("POST", "/edges/https", { hostports });
  await newPage(service, String(id), "/", `Hello from ${hostports[0]}`, more);
  return String(id);
}

/** Adds a page to an edge: a route with a backend of its own, for which HAProxy is reloaded. */
export async function newPage(
  service: IssuingService,
  edge: string,
  match: string,
  body: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  const page = { description: "page", status_code: 200, body };
  const { id } = await service.call("POST", "/backends/http_response", page);
  const route = { match_type: "path_prefix", match, backend: { backend_id: id }, ...more };
  await service.call("POST", `/edges/https/${edge}/routes`, route);
}

/** The certificate that a port shows for a name; undefined if the handshake fails. */
export const shown = (port: number, servername: string): Promise<X509Certificate | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });
