import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { specialPurposeBlocks } from "../../../scripts/iana_special_purpose.ts";
import { logsIngestion } from "../../../src/delivery/logs_ingestion.ts";
import { monitoringVendor } from "../../../src/delivery/monitoring_vendor.ts";
import { isPublic } from "../../../src/delivery/resolver.ts";
import type { DeliverySettings, Reply, SendContext } from "../../../src/delivery/sender.ts";
import { webhook } from "../../../src/delivery/webhook.ts";
import type { Receiver } from "./receivers/http.ts";
import { startResolver } from "./receivers/resolver.ts";
import { contextOf, eventOf } from "./world.ts";

/*
 * URLs that senders never call, whatever a target contains. They are checked when sending, because rows can be older than a
 * rule.
 */

/** Addresses by name, as in a hostile or careless zone. */
const zone = {
  "public.example.com": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
  "private.example.com": ["10.0.0.5"],
  "loopback.example.com": ["127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "shared.example.com": ["100.64.0.1"],
  "multicast.example.com": ["224.0.0.1"],
  "reserved.example.com": ["240.0.0.1"],
  "unspecified.example.com": ["0.0.0.0"],
  "ula.example.com": ["fd00::1"],
  "loopback6.example.com": ["::1"],
  "linklocal6.example.com": ["fe80::1"],
  "mapped.example.com": ["::ffff:10.0.0.5"],
  "compatible.example.com": ["::7f00:1"],
  "6to4.example.com": ["2002:a00:5::1"],
  "nat64.example.com": ["64:ff9b::a9fe:a9fe"],
  "one-of-two.example.com": ["93.184.215.14", "192.168.1.1"],
  "second-family.example.com": ["93.184.215.14", "fd00::1"],
  "nonsense.example.com": ["localhost"],
  "public-nat64.example.com": ["64:ff9b::5db8:d70e"],
};

let resolver: Receiver;
before(async () => {
  resolver = await startResolver(zone);
});
after(() => resolver.close());

/** The URLs called for a target's events, except the resolver's. None of them is really called. */
async function calls(
  send: (context: SendContext) => Promise<{ failure?: { class: string; error: { code: string } } }>,
  settings: Partial<DeliverySettings> = {},
) {
  const context = contextOf(settings);
  const called: string[] = [];
  const reply: Reply = { status: 204, headers: new Headers(), text: "" };
  const { failure } = await send({
    ...context,
    call: async (url, ...rest) => {
      if (url.startsWith(resolver.url)) return context.call(url, ...rest);
      called.push(url);
      return reply;
    },
  });
  return { called, outcome: failure && `${failure.class} ${failure.error.code}` };
}

const toUrl = (url: string, settings?: Partial<DeliverySettings>) =>
  calls(
    (context) => webhook.send({ url, secret: `whsec_${btoa("s".repeat(32))}` }, [eventOf(1)], context),
    settings,
  );

const REFUSED = { called: [], outcome: "configuration refused_url" };

for (const url of [
  "http://hooks.example.com",
  "https://user:pass@hooks.example.com",
  "https://hooks.example.com/#x",
  "https://hooks.example.com:22",
  "https://hooks.example.com:80",
  "https://127.0.0.1",
  "https://127.1",
  "https://2130706433",
  "https://0x7f.0.0.1",
  "https://0177.0.0.1",
  "https://10.0.0.1",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]",
  "https://[::ffff:7f00:1]",
  "https://[fe80::1]",
  "https://１６９.254.169.254",
  "https://localhost:8443",
  "https://localhost.",
  "https://intranet",
  "https://metadata.google.internal",
  "https://printer.local",
  "https://nas.home.arpa",
  "https://api.default.svc",
  "https://printer.lan",
  "https://@hooks.example.com",
  "https://api.example.com",
])
  test(`a webhook at ${url} is not called`, async () => {
    assert.deepEqual(await toUrl(url), REFUSED);
    assert.deepEqual(await toUrl(url, { resolver: resolver.url }), REFUSED);
  });

test("a public webhook is called as written", async () => {
  const url = "https://public.example.com:8443/a%20b?c=d";
  assert.deepEqual(await toUrl(url), { called: [url], outcome: undefined });
  assert.deepEqual(await toUrl(url, { resolver: resolver.url }), { called: [url], outcome: undefined });
});

for (const name of Object.keys(zone).filter((host) => !host.startsWith("public")))
  test(`a webhook at ${name} is not called, because of its address`, async () => {
    assert.deepEqual(await toUrl(`https://${name}/`, { resolver: resolver.url }), REFUSED);
  });

test("the NAT64 form of a public address is public", async () => {
  const { called } = await toUrl("https://public-nat64.example.com/", { resolver: resolver.url });
  assert.equal(called.length, 1);
});

test("a name that does not exist and a resolver that does not respond are retried later", async () => {
  const nothing = await toUrl("https://nothing.example.com/", { resolver: resolver.url });
  assert.deepEqual(nothing, { called: [], outcome: "retry dns" });
  const closed = await startResolver({});
  await closed.close();
  const dead = contextOf({ resolver: closed.url });
  const { failure } = await webhook.send(
    { url: "https://public.example.com/", secret: `whsec_${btoa("s".repeat(32))}` },
    [eventOf(1)],
    dead,
  );
  assert.equal(`${failure?.class} ${failure?.error.code}`, "retry resolver");
  assert.ok(dead.calls.every((url) => url.startsWith(closed.url)));
});

test("hosts that the operator allows are called, and still looked up", async () => {
  const allowedHosts = ["hooks.internal", "private.example.com"];
  const { called } = await toUrl("https://hooks.internal/", { allowedHosts });
  assert.deepEqual(called, ["https://hooks.internal/"]);
  const settings = { allowedHosts, resolver: resolver.url };
  assert.deepEqual(await toUrl("https://private.example.com/", settings), REFUSED);
});

test("with an endpoint override, nothing is looked up, and the path is kept", async () => {
  const endpoints = { webhook: "http://127.0.0.1:4000" };
  const { called } = await toUrl("https://private.example.com/a?b", { endpoints, resolver: resolver.url });
  assert.deepEqual(called, ["http://127.0.0.1:4000/a?b"]);
  assert.deepEqual(await toUrl("https://127.0.0.1/a", { endpoints }), REFUSED);
});

const toSite = (site: string, settings?: Partial<DeliverySettings>) =>
  calls((context) => monitoringVendor.send({ api_key: "key", site }, [eventOf(1)], context), settings);

const toEndpoint = (logs_ingestion_uri: string, settings?: Partial<DeliverySettings>) =>
  calls(
    (context) =>
      logsIngestion.send(
        {
          tenant_id: "t",
          client_id: "c",
          client_secret: "s",
          logs_ingestion_uri,
          data_collection_rule_id: "r",
          data_collection_stream_name: "n",
        },
        [eventOf(1)],
        context,
      ),
    settings,
  );

test("logs are only sent to the vendor's sites", async () => {
  for (const site of ["datadoghq.com", "us3.datadoghq.com", "datadoghq.eu", "us2.ddog-gov.com"]) {
    const { called } = await toSite(site);
    assert.deepEqual(called, [`https://http-intake.logs.${site}/api/v2/logs`]);
  }
  for (const site of [
    "example.com",
    "datadoghq.com.example.com",
    "example.com/?datadoghq.com",
    "example.com#.datadoghq.com",
    "@127.0.0.1",
    "datadoghq.com:22",
    "DATADOGHQ.com@example.com",
    "",
  ])
    assert.deepEqual(await toSite(site), REFUSED);
});

test("a site that the operator allows is called and looked up", async () => {
  const { called } = await toSite("logs.example.com", { allowedHosts: ["logs.example.com"] });
  assert.deepEqual(called, ["https://http-intake.logs.logs.example.com/api/v2/logs"]);
  const inside = await startResolver({ "http-intake.logs.logs.example.com": ["10.0.0.1"] });
  const context = contextOf({ allowedHosts: ["logs.example.com"], resolver: inside.url });
  const { failure } = await monitoringVendor.send(
    { api_key: "key", site: "logs.example.com" },
    [eventOf(1)],
    context,
  );
  await inside.close();
  assert.equal(failure?.error.code, "refused_url");
  assert.ok(context.calls.every((url) => url.startsWith(inside.url)));
});

test("events and the client's secret are only sent to Azure's suffixes", async () => {
  const { called } = await toEndpoint("https://a.westeurope-1.ingest.monitor.azure.com");
  assert.deepEqual(called, ["https://login.microsoftonline.com/t/oauth2/v2.0/token"]);
  const government = await toEndpoint("https://a.usgov-1.ingest.monitor.azure.us/");
  assert.deepEqual(government.called, ["https://login.microsoftonline.us/t/oauth2/v2.0/token"]);
  for (const uri of [
    "https://example.com",
    "http://a.ingest.monitor.azure.com",
    "https://a.ingest.monitor.azure.com.example.com",
    "https://ingest.monitor.azure.com",
    "https://example.com/a.ingest.monitor.azure.com",
    "https://a.ingest.monitor.azure.com@example.com",
    "https://example.com#.ingest.monitor.azure.com",
    "https://a.ingest.monitor.azure.com:22",
    "https://a.ingest.monitor.azure.com/path",
    "https://a.ingest.monitor.azure.com/?a",
    "https://127.0.0.1",
    "not a URL",
  ])
    assert.deepEqual(await toEndpoint(uri), REFUSED, uri);
});

test("an endpoint is looked up before the client's secret is sent", async () => {
  const inside = await startResolver({ "a.b.ingest.monitor.azure.com": ["10.0.0.1"] });
  const context = contextOf({ resolver: inside.url });
  const target = {
    tenant_id: "t",
    client_id: "c",
    client_secret: "s",
    logs_ingestion_uri: "https://a.b.ingest.monitor.azure.com",
    data_collection_rule_id: "r",
    data_collection_stream_name: "n",
  };
  const { failure } = await logsIngestion.send(target, [eventOf(1)], context);
  await inside.close();
  assert.equal(failure?.error.code, "refused_url");
  assert.ok(context.calls.every((url) => url.startsWith(inside.url)));
});

test("no block in IANA's special-purpose registries is public", () => {
  for (const { cidr } of specialPurposeBlocks) {
    const [address = ""] = cidr.split("/");
    assert.equal(isPublic(address), false, cidr);
  }
});

test("only addresses in DNS notation are public", () => {
  for (const address of ["93.184.215.14", "2606:4700::1111", "::ffff:93.184.215.14", "2002:5db8:d70e::"])
    assert.equal(isPublic(address), true, address);
  for (const address of [
    "",
    "x",
    "93.184.215",
    "0x5d.184.215.14",
    "1572395790",
    "fe80::1%eth0",
    "[2606::1]",
    "3fff::1",
  ])
    assert.equal(isPublic(address), false, address);
});
