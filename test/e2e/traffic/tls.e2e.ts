import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Certificate } from "./certificates.ts";
import { handshake, seenIn, type TlsVersion } from "./clients.ts";
import { freePort } from "./ports.ts";
import { startUpstream, type Upstream } from "./upstreams.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await sharedWorld();
});

const VERSIONS = ["1.0", "1.1", "1.2", "1.3"] as const;

describe("TLS passthrough", () => {
  let port: number;
  let upstreams: Upstream[];
  let client: Certificate;

  before(async () => {
    const { given, make, authority } = world;
    port = await freePort();
    client = make.client(make.authority("authority-of-nobody"), "client-of-nobody");
    upstreams = await Promise.all(
      ["first", "second"].map((name) => startUpstream(name, make.server(authority, [`${name}.pass.test`]))),
    );
    for (const { name, address } of upstreams)
      await given.tlsEdge({
        // Host names are case-insensitive, and can end with a dot.
        hostports: [`${name === "first" ? "First.Pass.Test" : "second.pass.test."}:${port}`],
        backend: { backend_id: (await given.staticBackend(address)).id },
        tls_termination: { terminate_at: "upstream" },
      });
    world.certificateFor("ended.pass.test");
    await given.tlsEdge({
      hostports: [`ended.pass.test:${port}`],
      backend: { backend_id: (await given.staticBackend((await startUpstream("plain")).address)).id },
      tls_termination: { terminate_at: "edge" },
    });
    await world.applied();
  });

  test("follows the server name, and the upstream server receives the handshake of the client", async () => {
    for (const { name } of upstreams) {
      const { upstream, tls } = seenIn(
        await eventually(() => seen(`https://${name}.pass.test:${port}/`, { client })),
      );
      assert.equal(upstream, name);
      assert.equal(tls?.servername, `${name}.pass.test`);
      assert.equal(tls.protocol, "TLSv1.3");
      assert.equal(tls.client, client.fingerprint);
    }
  });

  test("ignores the case of the server name", async () => {
    const { output, version } = await handshake(port, "FIRST.pass.TEST");
    assert.ok(version, output);
    assert.match(output, /subject=CN = first\.pass\.test/);
  });

  test("can share a port with edges that terminate TLS", async () => {
    const { upstream, tls } = seenIn(await world.get(`https://ended.pass.test:${port}/`));
    assert.equal(upstream, "plain");
    assert.equal(tls, undefined);
  });

  test("rejects connections without a name, with an unknown name, or without TLS", async () => {
    for (const name of [undefined, "third.pass.test", "pass.test"])
      assert.equal((await handshake(port, name)).version, undefined, name);
    assert.equal((await world.get(`http://first.pass.test:${port}/`)).upstream, undefined);
    assert.ok((await handshake(port, "first.pass.test")).version);
  });
});

const seen = async (url: string, options: Parameters<World["get"]>[1]) => {
  const answer = await world.get(url, options);
  seenIn(answer);
  return answer;
};

describe("the minimum TLS version", () => {
  test("is that of the edge, even if other edges share the port", async () => {
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
});

describe("mutual TLS", () => {
  let port: number;
  const clients: Record<"first" | "second" | "other", Certificate | undefined> = {
    first: undefined,
    second: undefined,
    other: undefined,
  };
  const kinds = ["tls", "https"] as const;
  let edges: Record<(typeof kinds)[number], string>;

  before(async () => {
    const { given, make } = world;
    port = await freePort();
    const backend = { backend_id: (await given.staticBackend((await startUpstream("mutual")).address)).id };
    const authorities = Object.fromEntries(
      ["first", "second", "other"].map((name) => [name, make.authority(`authority-${name}`)] as const),
    );
    const idOf = async (name: string) => (await given.authority(authorities[name]?.pem ?? "")).id;
    const certificate_authority_ids = [await idOf("first"), await idOf("second")];
    for (const name of ["first", "second", "other"] as const) {
      const authority = authorities[name];
      if (authority) clients[name] = make.client(authority, `client-of-${name}`);
    }
    const ids: string[] = [];
    for (const kind of kinds) world.certificateFor(`${kind}.mutual.test`, `open-${kind}.mutual.test`);
    const mutual_tls = { certificate_authority_ids };
    ids.push(
      (
        await given.tlsEdge({
          hostports: [`tls.mutual.test:${port}`],
          backend,
          tls_termination: { terminate_at: "edge" },
          mutual_tls,
        })
      ).id,
    );
    const https = await given.httpsEdge({ hostports: [`https.mutual.test:${port}`], mutual_tls });
    ids.push(https.id);
    await given.route(https.id, { backend });
    const open = await given.httpsEdge({ hostports: [`open-https.mutual.test:${port}`] });
    await given.route(open.id, { backend });
    edges = { tls: ids[0] ?? "", https: ids[1] ?? "" };
    await world.applied();
  });

  const upstreamOf = async (kind: string, client: Certificate | undefined) =>
    (await world.get(`https://${kind}.mutual.test:${port}/`, client ? { client } : {})).upstream;

  for (const kind of kinds)
    test(`of a ${kind} edge accepts clients of each of its authorities, and no other clients`, async () => {
      for (const name of ["first", "second"] as const)
        await eventually(async () =>
          assert.equal(await upstreamOf(kind, clients[name]), "mutual", `client of ${name}`),
        );
      assert.equal(await upstreamOf(kind, clients.other), undefined, "client of another authority");
      assert.equal(await upstreamOf(kind, undefined), undefined, "client without a certificate");
      assert.equal(await upstreamOf(kind, clients.first), "mutual", "the first still");
    });

  test("is only required by its own edge", async () => {
    assert.equal(await upstreamOf("open-https", undefined), "mutual");
  });

  test("cannot be bypassed with the name or a session of an edge without it", async () => {
    const url = `https://open-https.mutual.test:${port}/`;
    const { status, upstream } = await world.get(url, { headers: [`Host: https.mutual.test:${port}`] });
    assert.equal(upstream, undefined);
    assert.equal(status, 421);
  });

  test("can be changed with the module of the edge", async () => {
    const { service, given, make, applied } = world;
    const authority = make.authority("authority-third");
    const third = make.client(authority, "client-of-third");
    const { id } = await given.authority(authority.pem);
    const body = { certificate_authority_ids: [id] };
    await service.api.PUT("/edges/https/{id}/mutual_tls", { params: { path: { id: edges.https } }, body });
    await applied();
    await eventually(async () => assert.equal(await upstreamOf("https", third), "mutual"));
    assert.equal(await upstreamOf("https", clients.first), undefined);
    await service.api.DELETE("/edges/https/{id}/mutual_tls", { params: { path: { id: edges.https } } });
    await applied();
    await eventually(async () => assert.equal(await upstreamOf("https", undefined), "mutual"));
  });
});
