import assert from "node:assert/strict";
import { before, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { type Certificate } from "./certificates.ts";
import { handshake, seenIn, type TlsVersion } from "./clients.ts";
import { startUpstream } from "./upstreams.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await sharedWorld();
});

const VERSIONS = ["1.0", "1.1", "1.2", "1.3"] as const;

test("TLS that is passed through follows the server name, with the handshake of the client", async () => {
  const { given, make, authority } = world;
  const port = await freePort();
  const client = make.client(make.authority("authority-of-nobody"), "client-of-nobody");
  const upstreams = await Promise.all(
    ["first", "second"].map((name) => startUpstream(name, make.server(authority, [`${name}.pass.test`]))),
  );
  for (const { name, address } of upstreams)
    await given.tlsEdge({
      // Host names are case-insensitive, and can end with a dot.
      hostports: [`${name === "first" ? "First.Pass.Test" : "second.pass.test."}:${port}`],
      backend: { backend_id: (await given.staticBackend(address)).id },
      tls_termination: { terminate_at: "upstream" },
    });
  await world.applied();
  for (const { name } of upstreams) {
    const { upstream, tls } = await eventually(async () =>
      seenIn(await world.get(`https://${name}.pass.test:${port}/`, { client })),
    );
    assert.equal(upstream, name);
    assert.equal(tls?.servername, `${name}.pass.test`);
    assert.equal(tls.protocol, "TLSv1.3");
    assert.equal(tls.client, client.fingerprint);
  }
});

test("the minimum TLS version is that of the edge, even if other edges share the port", async () => {
  const { given } = world;
  const port = await freePort();
  const backend = { backend_id: (await given.staticBackend((await startUpstream("versions")).address)).id };
  const lowest: [kind: string, minimum: TlsVersion | undefined][] = [
    ...VERSIONS.map((version) => ["tls", version] as [string, TlsVersion]),
    ["tls", undefined],
    ["https", "1.0"],
    ["https", "1.2"],
    ["https", "1.3"],
    ["https", undefined],
  ];
  const hostOf = (kind: string, minimum: string | undefined) =>
    `${kind}-${(minimum ?? "default").replace(".", "-")}.versions.test`;
  for (const [kind, minimum] of lowest) {
    const host = hostOf(kind, minimum);
    world.certificateFor(host);
    const hostports = [`${host}:${port}`];
    const min_version = minimum === undefined ? {} : { min_version: minimum };
    if (kind === "tls")
      await given.tlsEdge({
        hostports,
        backend,
        tls_termination: { terminate_at: "edge", ...min_version },
      });
    else {
      const { id } = await given.httpsEdge({ hostports, tls_termination: min_version });
      await given.route(id, { backend });
    }
  }
  await world.applied();
  for (const [kind, minimum] of lowest) {
    const host = hostOf(kind, minimum);
    for (const version of VERSIONS) {
      const { version: agreed, output } = await eventually(async () => {
        const result = await handshake(port, host, { version });
        assert.doesNotMatch(result.output, /Connection refused/);
        return result;
      });
      assert.equal(
        agreed,
        version >= (minimum ?? "1.2") ? version : undefined,
        `${host} ${version}: ${output}`,
      );
    }
    assert.equal((await world.get(`https://${host}:${port}/`)).upstream, "versions", host);
  }
});

test("mutual TLS is that of the edge, and changes with it", async () => {
  const { service, given, make, applied } = world;
  const port = await freePort();
  const backend = { backend_id: (await given.staticBackend((await startUpstream("mutual")).address)).id };
  const [first, second] = [make.authority("authority-first"), make.authority("authority-second")];
  const clients = { first: make.client(first, "first"), second: make.client(second, "second") };
  const idOf = async ({ pem }: Certificate) => (await given.authority(pem)).id;
  const of = async (authority: Certificate) => ({ certificate_authority_ids: [await idOf(authority)] });
  world.certificateFor("tls.mutual.test", "https.mutual.test");
  const mutual_tls = await of(first);
  await given.tlsEdge({
    hostports: [`tls.mutual.test:${port}`],
    backend,
    tls_termination: { terminate_at: "edge" },
    mutual_tls,
  });
  const https = await given.httpsEdge({ hostports: [`https.mutual.test:${port}`], mutual_tls });
  await given.route(https.id, { backend });
  await applied();
  const upstreamOf = async (kind: string, client?: keyof typeof clients) =>
    (await world.get(`https://${kind}.mutual.test:${port}/`, client ? { client: clients[client] } : {}))
      .upstream;
  for (const kind of ["tls", "https"]) {
    await eventually(async () => assert.equal(await upstreamOf(kind, "first"), "mutual", kind));
    assert.equal(await upstreamOf(kind, "second"), undefined, kind);
    assert.equal(await upstreamOf(kind), undefined, kind);
  }
  const path = { params: { path: { id: https.id } } };
  await service.api.PUT("/edges/https/{id}/mutual_tls", { ...path, body: await of(second) });
  await applied();
  await eventually(async () => assert.equal(await upstreamOf("https", "second"), "mutual"));
  assert.equal(await upstreamOf("https", "first"), undefined);
  await service.api.DELETE("/edges/https/{id}/mutual_tls", path);
  await applied();
  await eventually(async () => assert.equal(await upstreamOf("https"), "mutual"));
});
