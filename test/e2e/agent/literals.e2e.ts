import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import type { Edge } from "../../../packages/model/src/traffic/snapshot.ts";
import { call, listening, readOverTls } from "./calls.ts";
import { certificate, folder, freePort, serve, serverCertificate } from "./proxy.ts";

test("edges at IPv6 and IPv4 addresses: found by the address, with their restrictions and hosts", async (t) => {
  const [web, db] = [await freePort(), await freePort()];
  const { pem } = certificate(folder(t), ["127.0.0.1", "::1"]);
  const upstream = await listening(
    t,
    createServer((socket) => socket.on("error", () => {}).end("upstream")),
  );
  const tls_termination = { min_version: "1.2" } as const;
  const route = (id: string, match: string, ip_policy_ids: string[]) =>
    ({
      id: `edghtsrt_${id}`,
      match_type: "path_prefix",
      match,
      backend: { backend_id: "bkdhr_1" },
      ip_restriction: { ip_policy_ids },
    }) as const;
  const https = (id: string, host: string): Edge => ({
    kind: "https",
    id: `edghts_${id}`,
    hostports: [`${host}:${web}`],
    tls_termination,
    routes: [route(`${id}six`, "/six", ["ipp_six"]), route(`${id}four`, "/four", ["ipp_four"])],
  });
  const tls = (id: string, host: string, ip_policy_ids: string[]): Edge => ({
    kind: "tls",
    id: `edgtls_${id}`,
    hostports: [`${host}:${db}`],
    tls_termination,
    backend: { backend_id: "bkdsc_1" },
    ip_restriction: { ip_policy_ids },
  });
  const { problems } = await serve(
    t,
    {
      edges: [
        https("six", "[::1]"),
        https("four", "127.0.0.1"),
        tls("six", "[::1]", ["ipp_six"]),
        tls("four", "127.0.0.1", ["ipp_six"]),
      ],
      ip_policies: {
        ipp_six: { allow: ["::1/128", "::/127"], deny: [] },
        ipp_four: { allow: ["0.0.0.0/0"], deny: [] },
      },
      backends: {
        bkdhr_1: { kind: "http_response", status_code: 200, headers: {}, body: "web" },
        bkdsc_1: { kind: "static", address: `127.0.0.1:${upstream}`, tls: false },
      },
    },
    { certificateFor: () => serverCertificate(pem), ipv6: true },
  );
  assert.deepEqual(problems, []);
  const status = async (host: string, path: string, header: string) =>
    (await call(web, "", path, { host, headers: { host: header } })).status;
  for (const [host, named] of [
    ["::1", "[::1]"],
    ["127.0.0.1", "127.0.0.1"],
  ] as const) {
    const [own, other] = host === "::1" ? ["/six", "/four"] : ["/four", "/six"];
    assert.equal(await status(host, own, named), 200);
    assert.equal(await status(host, own, `${named}:${web}`), 200);
    assert.equal(await status(host, other, named), 403);
    for (const header of ["x.example", "[::2]", "127.0.0.2", host === "::1" ? "127.0.0.1" : "[::1]"])
      assert.equal(await status(host, own, header), 421, `${host}: ${header}`);
    // From 3.0 on, HAProxy itself rejects it.
    assert.match(String(await status(host, own, `${named}:@x`)), /^(?:400|421)$/);
  }
  assert.equal((await readOverTls({ host: "::1", port: db })).text, "upstream");
  await assert.rejects(readOverTls({ host: "127.0.0.1", port: db }), "its restriction allows IPv6 only");
});
