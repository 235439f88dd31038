import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Json } from "../../support/json.ts";
import { buildWorker, migrate, type RunningWorker, startWorker } from "../support/workerd.ts";

/*
 * The built Worker with static assets, and official clients with keys of each role.
 */

const ROOT = "key-of-the-tests";
const SEALING_KEYS = `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`;

export interface Mcp {
  origin: string;
  /** Sends a request to the API with the operator's key. */
  api: (method: string, path: string, body?: object) => Promise<Json>;
  /** The keys by role, and that of the operator. */
  keys: Record<string, string>;
  stop: () => Promise<void>;
}

const roles = ["viewer", "planner", "editor", "admin", "agent", "metrics"] as const;

/** Builds and starts the service, with a key of each role. @param variables in addition to those in wrangler.toml */
export async function startMcp(variables: Record<string, string> = {}): Promise<Mcp> {
  const folder = mkdtempSync(join(tmpdir(), "edge-mcp-"));
  const [bundle, persist] = [join(folder, "bundle"), join(folder, "state")];
  buildWorker(bundle);
  migrate(persist);
  let worker: RunningWorker | undefined;
  const stop = async (): Promise<void> => {
    await worker?.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const bindings = { ROOT_API_KEY: ROOT, SEALING_KEYS, ...variables };
    worker = await startWorker({ bundle, persist, bindings, assets: join("dist", "assets") });
    const { origin } = worker;
    const api = (method: string, path: string, body?: object) => asked(origin, method, path, body);
    const made = await Promise.all(
      roles.map(async (role) => [role, (await api("POST", "/api_keys", { role }))["token"]] as const),
    );
    return { origin, api, keys: { ...Object.fromEntries(made), root: ROOT }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function asked(origin: string, method: string, path: string, body?: object): Promise<Json> {
  const headers = {
    Authorization: `Bearer ${ROOT}`,
    "Service-Version": "2",
    "Content-Type": "application/json",
  };
  const response = await fetch(origin + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Json);
}

/** The eras of the protocol: what a client sends first. */
export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

/** An official client of an era with a key. @param elicitation what its user answers, if it can ask */
export async function connect(
  origin: string,
  key: string,
  era: Era,
  elicitation?: (message: string) => {
    action: "accept" | "decline" | "cancel";
    content?: Record<string, boolean>;
  },
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      ...(era === "2026-07-28" && { versionNegotiation: { mode: "auto" as const } }),
      ...(elicitation && { capabilities: { elicitation: {} } }),
    },
  );
  if (elicitation)
    client.setRequestHandler("elicitation/create", ({ params }) => elicitation(params.message));
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", origin), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}
