// Loads a believable world through the API: npm run seed [-- --url http://localhost:8787 --key …]
// Each object is found again by its seed name, so a second run creates only what is missing.
import { readFileSync } from "node:fs";
import { parseArgs, parseEnv } from "node:util";
import { specialPurposeBlocks } from "./iana_special_purpose.ts";

interface Item {
  id: string;
  metadata?: string;
  [member: string]: unknown;
}

const { values: options } = parseArgs({
  options: { url: { type: "string", default: "http://localhost:8787" }, key: { type: "string" } },
});
const key = options.key ?? process.env["ROOT_API_KEY"] ?? keyOfDevVars();

/** The key of local development; undefined before the first `npm run dev`. */
function keyOfDevVars(): string | undefined {
  try {
    return parseEnv(readFileSync(".dev.vars", "utf8"))["ROOT_API_KEY"];
  } catch {
    return undefined;
  }
}

let made = 0;
let found = 0;

/** Writes one line of progress. */
function report(isNew: boolean, what: string): void {
  if (isNew) made += 1;
  else found += 1;
  console.info(`${isNew ? "created" : "present"}  ${what}`);
}

async function send(method: string, url: string, body?: unknown): Promise<Response> {
  return fetch(new URL(url, options.url), {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "Service-Version": "2",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** True when the module at `path` is set. */
const isSet = async (path: string): Promise<boolean> => (await send("GET", path)).ok;

async function call(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await send(method, url, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const isItem = (value: unknown): value is Item => isObject(value) && typeof value["id"] === "string";

/** Every object of a collection, page by page. */
async function all(path: string, list: string): Promise<Item[]> {
  const items: Item[] = [];
  let next: unknown = path;
  while (typeof next === "string") {
    const page = await call("GET", next);
    if (!isObject(page) || !Array.isArray(page[list])) throw new Error(`${next} is no list of ${list}`);
    items.push(...page[list].filter(isItem));
    next = page["next_page_uri"];
    // Only its path: the key goes to --url and nowhere else, whatever BASE_URL the service was given.
    if (typeof next === "string") next = new URL(next).pathname + new URL(next).search;
  }
  return items;
}

/** The object of `existing` that `isIt` finds, or a new one. */
async function ensure(
  path: string,
  existing: Item[],
  isIt: (item: Item) => boolean,
  what: string,
  body: object,
): Promise<Item> {
  const present = existing.find(isIt);
  const item = present ?? (await call("POST", path, body));
  if (!isItem(item)) throw new Error(`POST ${path} answered no object`);
  report(!present, `${item.id}  ${what}`);
  return item;
}

/** A function that ensures objects of one collection by their seed name, which stands in `metadata`. */
async function collection(
  path: string,
  list: string,
): Promise<(name: string, body: object) => Promise<Item>> {
  const existing = await all(path, list);
  return (name, body) => {
    const metadata = JSON.stringify({ seed: name });
    return ensure(path, existing, (item) => item.metadata === metadata, `${path}  ${name}`, {
      ...body,
      metadata,
    });
  };
}

async function seed(): Promise<void> {
  const policy = await collection("/ip_policies", "ip_policies");
  const response = await collection("/backends/http_response", "backends");
  const failover = await collection("/backends/failover", "backends");
  const tcp = await collection("/edges/tcp", "tcp_edges");
  const tls = await collection("/edges/tls", "tls_edges");
  const destination = await collection("/event_destinations", "event_destinations");

  const bogons = await policy("special-purpose", {
    description: "Special-purpose addresses are never a client's",
  });
  const offices = await policy("offices", { description: "Where people work" });
  const rules = await all("/ip_policy_rules", "ip_policy_rules");
  const rule = async (policyId: string, cidr: string, action: "allow" | "deny", description: string) => {
    const isIt = (item: Item) =>
      item["cidr"] === cidr && isObject(item["ip_policy"]) && item["ip_policy"]["id"] === policyId;
    const body = { cidr, action, description, ip_policy_id: policyId };
    return ensure("/ip_policy_rules", rules, isIt, `${action} ${cidr}  ${description}`, body);
  };
  for (const { cidr, name } of specialPurposeBlocks) await rule(bogons.id, cidr, "deny", name);
  await rule(offices.id, "198.51.100.0/24", "allow", "Lisbon");
  await rule(offices.id, "2001:db8:42::/48", "allow", "Lisbon, IPv6");

  const page = (text: string, status_code: number) => ({
    body: `<!doctype html><title>${text}</title><h1>${text}</h1>`,
    headers: { "Content-Type": "text/html; charset=utf-8" },
    status_code,
  });
  const blue = await response("blue", { ...page("Shop, blue", 200), description: "Shop, blue half" });
  const green = await response("green", { ...page("Shop, green", 200), description: "Shop, green half" });
  const sorry = await response("maintenance", {
    ...page("Back in a minute", 503),
    description: "Maintenance page",
  });
  const shop = await failover("shop", { description: "Blue, then green", backends: [blue.id, green.id] });
  const safe = await failover("shop-or-sorry", {
    description: "The shop, or the maintenance page",
    backends: [shop.id, sorry.id],
  });

  const everything = {
    backend: { backend_id: safe.id },
    ip_restriction: { ip_policy_ids: [offices.id, bogons.id] },
    traffic_policy: { value: JSON.stringify({ on_tcp_connect: [{ actions: [{ type: "log" }] }] }) },
  };
  await tcp("bastion", { description: "SSH bastion", hostports: ["ssh.example.com:22"], ...everything });
  await tcp("postgres", {
    description: "Reporting database, closed for now",
    hostports: ["db.example.com:5432", "[2001:db8::5]:5432"],
    ip_restriction: { enabled: false, ip_policy_ids: [offices.id] },
  });
  await tls("shop", {
    description: "Shop front",
    hostports: ["shop.example.com:443"],
    ...everything,
    mutual_tls: { certificate_authority_ids: ["ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"] },
    tls_termination: { terminate_at: "edge", min_version: "1.3" },
  });
  await tls("payments", {
    description: "Payments terminate their own TLS",
    hostports: ["pay.example.com:443"],
    backend: { backend_id: blue.id },
    mutual_tls: { enabled: false },
    tls_termination: { terminate_at: "upstream" },
  });

  const route = "/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/routes/edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
  for (const [path, body] of [
    ["/edges/https/edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX/mutual_tls", { certificate_authority_ids: null }],
    [`${route}/circuit_breaker`, { error_threshold_percentage: 0.25, num_buckets: 20 }],
    [`${route}/request_headers`, { add: { "X-Edge": "eu-west" }, remove: ["X-Debug"] }],
    [`${route}/websocket_tcp_converter`, { enabled: false }],
  ] as const) {
    const present = await isSet(path);
    if (!present) await call("PUT", path, body);
    report(!present, path);
  }

  const bots = await all("/bot_users", "bot_users");
  for (const [name, active] of [
    ["deploy", true],
    ["audit", false],
  ] as const)
    await ensure("/bot_users", bots, (item) => item["name"] === name, `/bot_users  ${name}`, {
      name,
      active,
    });

  const role = { role: { role_arn: "arn:aws:iam::123456789012:role/edge-events" } };
  const creds = { creds: { cloud_access_key_id: "AKIAEXAMPLE", cloud_secret_access_key: "example-secret" } };
  for (const [name, target] of Object.entries({
    lake: { cloud_delivery_stream: { auth: role, delivery_stream_arn: "arn:aws:firehose:eu-west-1:1:edge" } },
    stream: { cloud_stream: { auth: creds, stream_arn: "arn:aws:kinesis:eu-west-1:1:stream/edge" } },
    logs: { cloud_logs: { auth: role, log_group_arn: "arn:aws:logs:eu-west-1:1:log-group:edge" } },
    monitoring: {
      monitoring_vendor: {
        api_key: "example-key",
        service: "edge",
        site: "eu.example.com",
        tags: "team:edge",
      },
    },
    siem: {
      logs_ingestion: {
        tenant_id: "00000000-0000-0000-0000-000000000001",
        client_id: "00000000-0000-0000-0000-000000000002",
        client_secret: "example-secret",
        logs_ingestion_uri: "https://ingest.example.com",
        data_collection_rule_id: "dcr-edge",
        data_collection_stream_name: "Custom-Edge",
      },
    },
  }))
    await destination(name, { description: `Events to ${name}`, target });
}

if (!key) {
  console.error("No key: give --key, set ROOT_API_KEY, or run `npm run dev` once.");
  process.exitCode = 2;
} else {
  try {
    await seed();
    console.info(`Done: ${made} created, ${found} already there.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof TypeError) console.error(`Is the service running at ${options.url}?`);
    process.exitCode = 1;
  }
}
