import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { render } from "../../../packages/agent/src/render/render.ts";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../support/random.ts";
import { until } from "../support/wait.ts";
import { fixed, world } from "./agent.ts";
import { certificate, folder, freePort, settings, snapshot } from "./proxy.ts";
import { https } from "./served_certificates.ts";

const draw = drawn();

/*
 * Which certificate and which TLS version each host name gets, and that names come and go without a reload.
 */

type Version = "1.2" | "1.3";

const edge = (id: string, host: string, min_version: Version = "1.2") =>
  https(id, host, { tls_termination: { min_version } });

/** The line of a crt-list that HAProxy finds for a name: one with the name itself, or with the wildcard for it. */
function lineFor(list: string, host: string): string | undefined {
  const lines = list.split("\n").map((line) => {
    const [, options = "", names = ""] = /^(.*\]) (.*)$/.exec(line) ?? [];
    return { options, names: names.split(" ") };
  });
  const all = lines.flatMap(({ names }) => names);
  assert.equal(new Set(all).size, all.length, `a name is in the list twice: ${list}`);
  const found = (name: string) => lines.find(({ names }) => names.includes(name))?.options;
  return found(host) ?? found(host.replace(/^[^.]*/, "*"));
}

test("every name has the certificate and the version of its edge, however certificates overlap", () => {
  const hosts = ["a.x.test", "b.x.test", "c.x.test", "a.y.test", "b.y.test", "x.test", "a.b.x.test"];
  const names = [...hosts, "*.x.test", "*.y.test", "*.b.x.test", "*.test"];
  const isFor = (name: string, host: string) => name === host || name === host.replace(/^[^.]*/, "*");
  let fewer = 0;
  for (let run = 0; run < 2000; run++) {
    const certificates = Array.from({ length: 4 }, (_, n) => ({
      file: `certificates/${n}.pem`,
      content: "",
      names: draw.some(names, 0.3),
      isPreferred: draw.chance(0.3),
    }));
    const rank = (host: string) => (one: (typeof certificates)[number]) =>
      Number(one.isPreferred) * 2 + Number(one.names.includes(host));
    const certificateFor = (host: string) =>
      certificates
        .filter((one) => one.names.some((name) => isFor(name, host)))
        .toSorted((a, b) => rank(host)(b) - rank(host)(a))[0];
    const edges = draw.some(hosts, 0.6).map((host) => ({
      host,
      version: draw.chance(0.8) ? ("1.2" as const) : ("1.3" as const),
    }));
    const { files } = render(
      snapshot({
        edges: edges.map(({ host, version }, n) => edge(String(n), `${host}:8443`, version)),
        backends: { bkdhr_1: fixed("ok") },
      }),
      settings({ certificateFor }),
    );
    const list = files.get("lists/https_8443") ?? "";
    for (const { host, version } of edges) {
      const file = certificateFor(host)?.file;
      if (file === undefined) continue;
      const detail = JSON.stringify({ host, certificates, edges, list });
      const line = lineFor(list, host);
      assert.equal(line?.split(" ")[0], `/tmp/rendered/${file}`, detail);
      assert.match(line ?? "", new RegExp(`ssl-min-ver TLSv${version}`), detail);
    }
    if (edges.some(({ host }) => lineFor(list, host) !== undefined && !list.split(/\s/).includes(host)))
      fewer++;
  }
  assert.ok(fewer > 100, `wildcards were used in ${fewer} runs`);
});

/** The common name of the certificate that a port shows for a name; "" if it shows none. */
function shown(port: number, servername: string, maxVersion: SecureVersion = "TLSv1.3"): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port, servername, maxVersion, rejectUnauthorized: false });
  socket.on("secureConnect", () => {
    resolve(socket.getPeerCertificate().subjectaltname ?? "");
    socket.destroy();
  });
  socket.on("error", () => resolve(""));
  return promise;
}

test("edges whose names a known certificate has come and go without a reload", async (t) => {
  const [here, path] = [await world(t), folder(t)];
  const port = await freePort();
  const put = (file: string, names: string[]) =>
    copyFileSync(certificate(path, names).pem, join(here.certificates, file));
  put("wild.pem", ["*.example.com"]);
  put("own.pem", ["own.example.com", "other.example.org"]);
  const publish = (...edges: Edge[]) => {
    const backends: Snapshot["backends"] = { bkdhr_1: fixed("ok") };
    return here.service.applied(here.service.publish({ edges, backends }));
  };
  const at = (id: string, version?: Version) => {
    const host = id === "other" ? "other.example.org" : `${id}.example.com`;
    return edge(id, `${host}:${port}`, version);
  };
  here.start();
  await publish(at("a"), at("own"));
  const worker = await here.worker();
  assert.equal(await shown(port, "b.example.com"), "", "no edge has the name");
  await publish(at("a"), at("own"), at("b"), at("other"));
  assert.equal(await shown(port, "b.example.com"), "DNS:*.example.com");
  assert.match(await shown(port, "other.example.org"), /own\.example\.com/);
  assert.match(await shown(port, "own.example.com"), /own\.example\.com/);
  await publish(at("b"), at("own"));
  await until("the edge is gone", async () => (await shown(port, "a.example.com")) === "");
  assert.equal(await shown(port, "other.example.org"), "");
  assert.equal(await shown(port, "b.example.com"), "DNS:*.example.com");
  assert.equal(await here.worker(), worker, "no reload");

  await publish(at("b", "1.3"), at("own"));
  await until("TLS 1.2 is rejected", async () => (await shown(port, "b.example.com", "TLSv1.2")) === "");
  assert.equal(await shown(port, "b.example.com"), "DNS:*.example.com");
});
