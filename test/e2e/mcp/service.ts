import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Json } from "../../support/json.ts";
import { migrate, workerBundle } from "../support/prepared.ts";
import { type RunningWorker, startWorker } from "../support/workerd.ts";

/*
 * The built Worker with static assets, and official clients with keys of each role.
 */

const ROOT = "key-of-the-tests";
const SEALING_KEYS = `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`;

/** An origin whose pages can send requests. */
export const FRIEND = "https://agents.example.com";

const folder = mkdtempSync(join(tmpdir(), "edge-mcp-"));
let worker: RunningWorker | undefined;
after(async () => {
  await worker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const persist = join(folder, "state");
migrate(persist);

/** Every line that the service has logged. */
export const log: string[] = [];

worker = await startWorker({
  bundle: workerBundle(),
  persist,
  bindings: { ROOT_API_KEY: ROOT, SEALING_KEYS, MCP_ORIGINS: `https://other.example.com, ${FRIEND}` },
  hasAssets: true,
  onLog: (line) => log.push(line),
});

export const { origin } = worker;

/** Sends a request to the API with the operator's key. */
export const api = (method: string, path: string, body?: object): Promise<Json> => asked(method, path, body);

export const roles = ["viewer", "planner", "editor", "admin", "agent", "metrics"] as const;
export type Role = (typeof roles)[number];

const made = await Promise.all(
  roles.map(async (role) => [role, (await api("POST", "/api_keys", { role }))["token"]] as const),
);

/** A key of each role. */
export const keys = Object.fromEntries(made) as Record<Role, string>;

async function asked(method: string, path: string, body?: object): Promise<Json> {
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

/** An official client of an era with a key of a role. @param elicitation what its user answers, if it can ask */
export async function connect(
  role: Role,
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
    requestInit: { headers: { Authorization: `Bearer ${keys[role]}` } },
  });
  await client.connect(transport);
  return client;
}
