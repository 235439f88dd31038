import assert from "node:assert/strict";
import { before, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { handshake, type TlsVersion } from "./clients.ts";
import { startUpstream } from "./upstreams.ts";
import { sharedWorld, type World } from "./world.ts";

let world: World;

before(async () => {
  world = await sharedWorld();
});

const VERSIONS = ["1.0", "1.1", "1.2", "1.3"] as const;

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
        const result = await handshake(port, host, version);
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
