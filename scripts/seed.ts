// Creates realistic example data through the API: npm run seed [-- --url … --key …]
// Objects are identified by their seed names, so a second run only creates missing objects.
import { readFileSync } from "node:fs";
import { parseArgs, parseEnv } from "node:util";
import type { paths } from "edge-configuration-client";
import createClient from "openapi-fetch";
import { specialPurposeBlocks } from "./iana_special_purpose.ts";
import {
  all,
  type Api,
  bodyOf,
  type Body,
  counts,
  ensure,
  type Item,
  named,
  report,
  type Result,
} from "./seed_api.ts";
import { seedDestinations, seedSubscriptions } from "./seed_events.ts";
import { seedIssuers } from "./seed_issuers.ts";

const USAGE = `Usage: npm run seed [-- --url http://localhost:8787 --key …]

Creates example data through the API. A second run only creates missing objects.

  --url   URL of the service (default: $API, otherwise http://localhost:8787)
  --key   an API key with the role admin (default: $ROOT_API_KEY, otherwise the key in .dev.vars)`;

/** A certificate authority whose private key was discarded. */
const DEVICES_CA = `-----BEGIN CERTIFICATE-----
MIIBRTCB+KADAgECAhR0OQmIAxlJxXpC6IjrcrrpZBcjEDAFBgMrZXAwJjENMAsG
A1UECgwEU2hvcDEVMBMGA1UEAwwMU2hvcCBkZXZpY2VzMB4XDTI2MTEyMTIzNTM0
OVoXDTM2MTEyMTIzNTM0OVowJjENMAsGA1UECgwEU2hvcDEVMBMGA1UEAwwMU2hv
cCBkZXZpY2VzMCowBQYDK2VwAyEA/G3eitKKNhQVniin4FxcJGRofnOOovWW4Nxy
5vno+ZKjODA2MA4GA1UdDwEB/wQEAwIBBjATBgNVHSUEDDAKBggrBgEFBQcDAjAP
BgNVHRMBAf8EBTADAQH/MAUGAytlcANBAEIhoL+tmqGn65MLIuIGhgKB1zQVuxTz
gNPysLFW5RKgCIT4Hmsmo8ev2MMMBLsyEDur9OwFlkzS4IsTH6OHVQA=
-----END CERTIFICATE-----
`;

/** The key for local development; undefined before the first `npm run dev`. */
function keyOfDevVars(): string | undefined {
  try {
    return parseEnv(readFileSync(".dev.vars", "utf8"))["ROOT_API_KEY"];
  } catch {
    return undefined;
  }
}

function optionsGiven(): { isHelp: boolean; url: string; key: string | undefined } {
  const { values } = parseArgs({
    options: {
      url: { type: "string", default: process.env["API"] || "http://localhost:8787" },
      key: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (!URL.canParse(values.url) || !/^https?:$/.test(new URL(values.url).protocol))
    throw new Error(`--url ${values.url}: expected a URL with a scheme, such as http://localhost:8787.`);
  return {
    isHelp: values.help,
    url: new URL(values.url).origin,
    key: values.key ?? process.env["ROOT_API_KEY"] ?? keyOfDevVars(),
  };
}

async function seed(url: string, key: string): Promise<void> {
  const api = createClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${key}`, "Service-Version": "2" },
  });
  const policies = await seedPolicies(api);
  const backends = await seedBackends(api);
  await seedTcpEdges(api, policies, backends);
  await seedTlsEdges(api, policies, backends);
  await seedHttpsEdge(api, policies, backends);
  await seedBotUsers(api);
  await seedIssuers(api);
  await seedSubscriptions(api, await seedDestinations(api));
  await seedModules(api);
}

interface Policies {
  internet: Item;
  offices: Item;
}

async function seedPolicies(api: Api): Promise<Policies> {
  const policy = named(
    "/ip_policies",
    await all(
      (query) => api.GET("/ip_policies", { params: { query } }),
      (page) => page.ip_policies,
    ),
    (body: Body<"IpPolicyCreate">) => api.POST("/ip_policies", { body }),
  );
  const internet = await policy("internet", {
    description: "Everybody except special-purpose addresses, which no client has",
  });
  const offices = await policy("offices", { description: "Where people work" });

  const rules = await all(
    (query) => api.GET("/ip_policy_rules", { params: { query } }),
    (page) => page.ip_policy_rules,
  );
  const rule = (body: Body<"IpPolicyRuleCreate">) =>
    ensure(
      `${body.action} ${body.cidr}  ${body.description}`,
      rules,
      (item) => item.cidr === body.cidr && item.ip_policy.id === body.ip_policy_id,
      () => api.POST("/ip_policy_rules", { body }),
    );
  for (const cidr of ["0.0.0.0/0", "::/0"])
    await rule({ cidr, action: "allow", description: "Everybody", ip_policy_id: internet.id });
  // The service treats rules within ::ffff:0:0/96 as IPv4 rules, so this rule would deny all of IPv4.
  for (const { cidr, name } of specialPurposeBlocks.filter((block) => block.cidr !== "::ffff:0:0/96"))
    await rule({ cidr, action: "deny", description: name, ip_policy_id: internet.id });
  for (const [cidr, description] of [
    ["198.51.100.0/24", "Lisbon"],
    ["2001:db8:42::/48", "Lisbon, IPv6"],
  ] as const)
    await rule({ cidr, action: "allow", description, ip_policy_id: offices.id });
  return { internet, offices };
}

interface Backends {
  blue: Item;
  safe: Item;
  payments: Item;
}

async function seedBackends(api: Api): Promise<Backends> {
  const response = named(
    "/backends/http_response",
    await all(
      (query) => api.GET("/backends/http_response", { params: { query } }),
      (page) => page.backends,
    ),
    (body: Body<"HttpResponseBackendCreate">) => api.POST("/backends/http_response", { body }),
  );
  const html = (text: string, status_code: number) => ({
    description: text,
    body: `<!doctype html><title>${text}</title><h1>${text}</h1>`,
    headers: { "Content-Type": "text/html; charset=utf-8" },
    status_code,
  });
  const blue = await response("blue", html("Shop, blue", 200));
  const green = await response("green", html("Shop, green", 200));
  const sorry = await response("maintenance", html("Back in a minute", 503));

  const failover = named(
    "/backends/failover",
    await all(
      (query) => api.GET("/backends/failover", { params: { query } }),
      (page) => page.backends,
    ),
    (body: Body<"FailoverBackendCreate">) => api.POST("/backends/failover", { body }),
  );
  const shop = await failover("shop", { description: "Blue, then green", backends: [blue.id, green.id] });
  const safe = await failover("shop-or-sorry", {
    description: "The shop, or the maintenance page",
    backends: [shop.id, sorry.id],
  });

  const fixed = named(
    "/backends/static",
    await all(
      (query) => api.GET("/backends/static", { params: { query } }),
      (page) => page.backends,
    ),
    (body: Body<"StaticBackendCreate">) => api.POST("/backends/static", { body }),
  );
  const stable = await fixed("payments-stable", {
    description: "Payments, what everybody gets",
    address: "payments.internal.example.com:8443",
    tls: { enabled: true },
  });
  const canary = await fixed("payments-canary", {
    description: "Payments, the next version",
    address: "[2001:db8::7]:8080",
  });
  const weighted = named(
    "/backends/weighted",
    await all(
      (query) => api.GET("/backends/weighted", { params: { query } }),
      (page) => page.backends,
    ),
    (body: Body<"WeightedBackendCreate">) => api.POST("/backends/weighted", { body }),
  );
  const split = await weighted("payments", {
    description: "A twentieth tries the next version",
    backends: { [stable.id]: 95, [canary.id]: 5 },
  });
  const payments = await failover("payments", {
    description: "Both versions of payments, or the stable one alone",
    backends: [split.id, stable.id],
  });
  return { blue, safe, payments };
}

/** The modules of edges that serve the shop to the offices. */
const officeModules = ({ offices }: Policies, { safe }: Backends) => ({
  backend: { backend_id: safe.id },
  ip_restriction: { ip_policy_ids: [offices.id] },
  traffic_policy: { value: JSON.stringify({ on_tcp_connect: [{ actions: [{ type: "log" }] }] }) },
});

async function seedTcpEdges(api: Api, policies: Policies, backends: Backends): Promise<void> {
  const tcp = named(
    "/edges/tcp",
    await all(
      (query) => api.GET("/edges/tcp", { params: { query } }),
      (page) => page.tcp_edges,
    ),
    (body: Body<"TcpEdgeCreate">) => api.POST("/edges/tcp", { body }),
  );
  await tcp("bastion", {
    description: "SSH bastion",
    hostports: ["ssh.example.com:22"],
    ...officeModules(policies, backends),
  });
  await tcp("postgres", {
    description: "Reporting database, closed for now",
    hostports: ["db.example.com:5432", "[2001:db8::5]:5432"],
    ip_restriction: { enabled: false, ip_policy_ids: [policies.offices.id] },
  });
}

async function seedTlsEdges(api: Api, policies: Policies, backends: Backends): Promise<void> {
  const authority = named(
    "/certificate_authorities",
    await all(
      (query) => api.GET("/certificate_authorities", { params: { query } }),
      (page) => page.certificate_authorities,
    ),
    (body: Body<"CertificateAuthorityCreate">) => api.POST("/certificate_authorities", { body }),
  );
  const devices = await authority("devices", { description: "Signs the shop's devices", ca_pem: DEVICES_CA });

  const tls = named(
    "/edges/tls",
    await all(
      (query) => api.GET("/edges/tls", { params: { query } }),
      (page) => page.tls_edges,
    ),
    (body: Body<"TlsEdgeCreate">) => api.POST("/edges/tls", { body }),
  );
  await tls("shop", {
    description: "Shop front",
    hostports: ["shop.example.com:443"],
    ...officeModules(policies, backends),
    ip_restriction: { ip_policy_ids: [policies.internet.id] },
    mutual_tls: { certificate_authority_ids: [devices.id] },
    tls_termination: { terminate_at: "edge", min_version: "1.3" },
  });
  await tls("payments", {
    description: "Payments terminate their own TLS",
    hostports: ["pay.example.com:443"],
    backend: { backend_id: backends.payments.id },
    mutual_tls: { enabled: false },
    tls_termination: { terminate_at: "upstream" },
  });
}

async function seedHttpsEdge(api: Api, { internet }: Policies, { blue, safe }: Backends): Promise<void> {
  const https = named(
    "/edges/https",
    await all(
      (query) => api.GET("/edges/https", { params: { query } }),
      (page) => page.https_edges,
    ),
    (body: Body<"HttpsEdgeCreate">) => api.POST("/edges/https", { body }),
  );
  const { id: edge_id, routes } = await https("shop", {
    description: "Shop, over HTTPS",
    hostports: ["www.shop.example.com:443"],
    tls_termination: { min_version: "1.2" },
  });
  const path = { edge_id };
  const shopRoute = named("/edges/https/{edge_id}/routes", routes, (body: Body<"HttpsEdgeRouteCreate">) =>
    api.POST("/edges/https/{edge_id}/routes", { params: { path }, body }),
  );
  await shopRoute("shop-pages", {
    description: "Every page",
    match_type: "path_prefix",
    match: "/",
    backend: { backend_id: safe.id },
    ip_restriction: { ip_policy_ids: [internet.id] },
    compression: {},
    circuit_breaker: { error_threshold_percentage: 0.25 },
    request_headers: { add: { "X-Shop": "web" }, remove: ["X-Debug"] },
    response_headers: { add: { "Strict-Transport-Security": "max-age=31536000" }, remove: ["Server"] },
    user_agent_filter: { deny: ["(?i)badbot"] },
  });
  await shopRoute("shop-payments", {
    description: "Where the payment provider reports",
    match_type: "exact_path",
    match: "/webhooks/payments",
    backend: { backend_id: blue.id },
    traffic_policy: { value: JSON.stringify({ on_http_request: [{ actions: [{ type: "log" }] }] }) },
    webhook_verification: { provider: "stripe", secret: "example-secret" },
  });
}

async function seedBotUsers(api: Api): Promise<void> {
  const bots = await all(
    (query) => api.GET("/bot_users", { params: { query } }),
    (page) => page.bot_users,
  );
  for (const [name, active] of [
    ["deploy", true],
    ["audit", false],
  ] as const)
    await ensure(
      `/bot_users  ${name}`,
      bots,
      (bot) => bot.name === name,
      () => api.POST("/bot_users", { body: { name, active } }),
    );
}

/** Sets a module of an HTTPS edge or route unless it is already set. */
const ensureModule = async (
  what: string,
  get: () => Promise<{ response: Response }>,
  put: () => Promise<Result<unknown>>,
): Promise<void> => {
  const isSet = (await get()).response.ok;
  if (!isSet) bodyOf(await put());
  report(!isSet, what);
};

/** Sets modules of an edge and a route that are managed elsewhere. */
async function seedModules(api: Api): Promise<void> {
  const ofEdge = { path: { id: "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX" } };
  const ofRoute = { path: { edge_id: ofEdge.path.id, id: "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX" } };
  const route = "/edges/https/{edge_id}/routes/{id}";
  await ensureModule(
    `${ofEdge.path.id}  mutual_tls`,
    () => api.GET("/edges/https/{id}/mutual_tls", { params: ofEdge }),
    () => api.PUT("/edges/https/{id}/mutual_tls", { params: ofEdge, body: {} }),
  );
  await ensureModule(
    `${ofRoute.path.id}  circuit_breaker`,
    () => api.GET(`${route}/circuit_breaker`, { params: ofRoute }),
    () =>
      api.PUT(`${route}/circuit_breaker`, {
        params: ofRoute,
        body: { error_threshold_percentage: 0.25, num_buckets: 20 },
      }),
  );
  await ensureModule(
    `${ofRoute.path.id}  request_headers`,
    () => api.GET(`${route}/request_headers`, { params: ofRoute }),
    () =>
      api.PUT(`${route}/request_headers`, {
        params: ofRoute,
        body: { add: { "X-Edge": "eu-west" }, remove: ["X-Debug"] },
      }),
  );
  await ensureModule(
    `${ofRoute.path.id}  websocket_tcp_converter`,
    () => api.GET(`${route}/websocket_tcp_converter`, { params: ofRoute }),
    () => api.PUT(`${route}/websocket_tcp_converter`, { params: ofRoute, body: { enabled: false } }),
  );
}

async function main(): Promise<void> {
  const { isHelp, url, key } = optionsGiven();
  if (isHelp) return console.info(USAGE);
  if (key === undefined) throw new Error("No key: pass --key, set ROOT_API_KEY, or run `npm run dev` once.");
  await seed(url, key).catch((error: unknown) => {
    throw error instanceof TypeError
      ? new Error(`Is the service running at ${url}?`, { cause: error })
      : error;
  });
  console.info(`Done: ${counts.created} created, ${counts.present} already existed.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(USAGE);
  process.exitCode = 1;
}
