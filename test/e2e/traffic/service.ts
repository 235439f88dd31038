import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { components, paths } from "edge-configuration-client";
import createClient, { type Client } from "openapi-fetch";
import { freePort } from "../support/ports.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

/*
 * The service in workerd, and a client of its API.
 */

const ROOT_API_KEY = "key-of-the-tests-with-real-traffic";

type Schemas = components["schemas"];

/** The result of a client call. */
interface Result<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful response. @throws the service's error otherwise */
function bodyOf<T>({ data, error, response }: Result<T>): T {
  if (data === undefined) throw new Error(`${response.status} of ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

export interface Service {
  origin: string;
  api: Client<paths>;
  /** Sends a request that the client's types do not have. @throws unless it succeeds */
  call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  kill: () => Promise<void>;
  /** Starts it again after `kill`, at the same origin, with the same database. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

let starting: Promise<unknown> = Promise.resolve();

/**
 * Starts the service with an empty database. One service starts at a time, because the new workerd process is found among all
 * processes.
 */
export function startService(): Promise<Service> {
  const started = starting.then(newService);
  starting = started.catch(() => {});
  return started;
}

async function newService(): Promise<Service> {
  const persist = mkdtempSync(join(tmpdir(), "edge-traffic-state-"));
  migrate(persist);
  const port = await freePort();
  const start = (): Promise<RunningWorker> =>
    startWorker({
      bundle: workerBundle(),
      persist,
      port,
      bindings: {
        ROOT_API_KEY,
        SEALING_KEYS: `traffic:${Buffer.alloc(32, "traffic").toString("base64")}`,
      },
    });
  let worker: RunningWorker | undefined = await start();
  const { origin } = worker;
  const headers = { Authorization: `Bearer ${ROOT_API_KEY}`, "Service-Version": "2" };
  return {
    origin,
    api: createClient<paths>({ baseUrl: origin, headers }),
    call: async (method, path, body) => {
      const response = await fetch(origin + path, {
        method,
        headers: { ...headers, "Content-Type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    kill: async () => {
      await worker?.kill();
      worker = undefined;
    },
    restart: async () => {
      worker = await start();
    },
    stop: async () => {
      await worker?.dispose();
      rmSync(persist, { recursive: true, force: true });
    },
  };
}

/** Factories of objects to serve: each creates one object through the API. */
export function givenBy({ api }: Pick<Service, "api">) {
  return {
    staticBackend: async (address: string, isTls = false): Promise<Schemas["StaticBackend"]> =>
      bodyOf(await api.POST("/backends/static", { body: { address, tls: { enabled: isTls } } })),
    fixedResponse: async (
      body: Schemas["HttpResponseBackendCreate"],
    ): Promise<Schemas["HttpResponseBackend"]> => bodyOf(await api.POST("/backends/http_response", { body })),
    failover: async (backends: string[]): Promise<Schemas["FailoverBackend"]> =>
      bodyOf(await api.POST("/backends/failover", { body: { backends } })),
    weighted: async (backends: Record<string, number>): Promise<Schemas["WeightedBackend"]> =>
      bodyOf(await api.POST("/backends/weighted", { body: { backends } })),
    tcpEdge: async (body: Schemas["TcpEdgeCreate"]): Promise<Schemas["TcpEdge"]> =>
      bodyOf(await api.POST("/edges/tcp", { body })),
    tlsEdge: async (body: Schemas["TlsEdgeCreate"]): Promise<Schemas["TlsEdge"]> =>
      bodyOf(await api.POST("/edges/tls", { body })),
    httpsEdge: async (body: Schemas["HttpsEdgeCreate"]): Promise<Schemas["HttpsEdge"]> =>
      bodyOf(await api.POST("/edges/https", { body })),
    /** A route for every path, unless a match is given. */
    route: async (
      edge_id: string,
      body: Partial<Schemas["HttpsEdgeRouteCreate"]>,
    ): Promise<Schemas["HttpsEdgeRoute"]> =>
      bodyOf(
        await api.POST("/edges/https/{edge_id}/routes", {
          params: { path: { edge_id } },
          body: { match_type: "path_prefix", match: "/", ...body },
        }),
      ),
    policy: async (): Promise<Schemas["IpPolicy"]> => bodyOf(await api.POST("/ip_policies", { body: {} })),
    rule: async (
      ip_policy_id: string,
      action: "allow" | "deny",
      cidr: string,
    ): Promise<Schemas["IpPolicyRule"]> =>
      bodyOf(await api.POST("/ip_policy_rules", { body: { ip_policy_id, action, cidr } })),
    authority: async (ca_pem: string): Promise<Schemas["CertificateAuthority"]> =>
      bodyOf(await api.POST("/certificate_authorities", { body: { ca_pem } })),
  };
}
