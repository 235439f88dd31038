// An agent that serves certificates which a test puts into its directory.
import { X509Certificate } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import type { Edge, HttpsEdge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { fixed, type Test, world } from "./agent.ts";
import { certificate, folder, freePort, httpsEdge } from "./proxy.ts";

export const backends: Snapshot["backends"] = { bkdhr_1: fixed("ok") };

export const https = (id: string, hostport: string, given: Partial<HttpsEdge> = {}): Edge => {
  const backend = { backend_id: "bkdhr_1" };
  const route = { id: `edghtsrt_${id}`, match_type: "path_prefix", match: "/", backend } as const;
  return { ...httpsEdge(`edghts_${id}`, [hostport], [route]), ...given };
};

export const tls = (id: string, hostport: string): Edge => ({
  kind: "tls",
  id: `edgtls_${id}`,
  hostports: [hostport],
  tls_termination: { min_version: "1.2" },
  backend: { backend_id: "bkdhr_1" },
});

/** Connects. Resolves to undefined if the handshake fails. */
export function connected(port: number, options: ConnectionOptions): Promise<TLSSocket | undefined> {
  const { promise, resolve } = Promise.withResolvers<TLSSocket | undefined>();
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  socket.on("secureConnect", () => resolve(socket)).on("error", () => resolve(undefined));
  return promise;
}

/** The fingerprint of the certificate that a port shows for a name; "" if it shows none. */
export async function shown(port: number, servername?: string): Promise<string> {
  const socket = await connected(port, servername === undefined ? {} : { servername });
  const { fingerprint = "" } = socket?.getPeerCertificate() ?? {};
  socket?.destroy();
  return fingerprint;
}

export async function startedWithCertificates(t: Test) {
  const [here, path] = [await world(t), folder(t)];
  return {
    here,
    path,
    port: await freePort(),
    /** Puts a new certificate into the agent's directory. Returns its fingerprint. */
    put: (file: string, names: readonly string[]): string => {
      const { pem } = certificate(path, names);
      copyFileSync(pem, join(here.certificates, file));
      return new X509Certificate(readFileSync(pem)).fingerprint;
    },
    publish: (...edges: Edge[]) => here.service.applied(here.service.publish({ edges, backends })),
  };
}
