import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { CertificateFolder } from "../../../packages/agent/src/certificate_folder.ts";
import { certificateSteps } from "../../../packages/agent/src/certificate_steps.ts";
import { Certificates } from "../../../packages/agent/src/certificates.ts";
import { until } from "../support/wait.ts";
import { call } from "./calls.ts";
import { certificate, folder, freePort } from "./proxy.ts";
import { connected, https, shown, startedWithCertificates as started, tls } from "./served_certificates.ts";

/*
 * Certificates come, go and are renewed in a running HAProxy.
 */

test("a renewed certificate is served without a reload, and open connections go on", async (t) => {
  const { here, path, port, put, publish } = await started(t);
  const plain = await freePort();
  const files = {
    "wild.pem": ["*.example.com"],
    "own.pem": ["own.example.com"],
    "mutual.pem": ["mutual.example.com"],
    "address.pem": ["127.0.0.1"],
  };
  const names = Object.entries(files);
  for (const [file, of] of names) put(file, of);
  const authority = certificate(path, ["Authority"]);
  const client = certificate(path, ["client"], authority);
  const edges = [
    https("wild", `a.example.com:${port}`),
    tls("other", `b.example.com:${port}`),
    https("own", `own.example.com:${port}`),
    https("mutual", `mutual.example.com:${port}`, {
      mutual_tls: { certificate_authority_ids: ["ca_1"] },
    }),
    https("address", `127.0.0.1:${plain}`),
  ];
  here.service.publish({ certificate_authorities: { ca_1: readFileSync(authority.cert, "utf8") } });
  here.start();
  assert.deepEqual((await publish(...edges)).problems, []);
  const worker = await here.worker();
  const options = { cert: readFileSync(client.cert), key: readFileSync(client.key) };
  const open = await connected(port, { servername: "a.example.com", ALPNProtocols: ["http/1.1"] });

  const renewed = new Map(names.map(([file, of]) => [file, put(file, of)]));
  await until(
    "the wildcard is served",
    async () => (await shown(port, "a.example.com")) === renewed.get("wild.pem"),
  );
  await until(
    "the certificate of the address is served",
    async () => (await shown(plain)) === renewed.get("address.pem"),
  );
  assert.equal(await shown(port, "b.example.com"), renewed.get("wild.pem"));
  assert.equal(await shown(port, "own.example.com"), renewed.get("own.pem"));
  const mutual = await call(port, "mutual.example.com", "/", options);
  assert.equal(mutual.body.toString(), "ok");
  await assert.rejects(call(port, "mutual.example.com", "/"), "a client certificate is still required");
  assert.equal(await here.worker(), worker, "no reload");
  await until("that is logged", () => /updated \d certificates? in \d+ ms/.test(here.log()));

  open?.write("GET / HTTP/1.1\r\nHost: a.example.com\r\nConnection: close\r\n\r\n");
  assert.match(Buffer.concat((await open?.toArray()) ?? []).toString(), /200 OK/);

  // After both were killed, HAProxy starts with the renewed ones.
  await here.end("SIGKILL");
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  await here.service.stop();
  here.start();
  await until(
    "it is served again",
    async () => (await shown(port, "own.example.com")) === renewed.get("own.pem"),
  );
});

test("an edge with a certificate of its own comes and goes without a reload", async (t) => {
  const { here, path, port, put, publish } = await started(t);
  const authority = certificate(path, ["Authority"]);
  const client = certificate(path, ["client"], authority);
  const options = { cert: readFileSync(client.cert), key: readFileSync(client.key) };
  put("first.pem", ["first.example.com"]);
  put("mutual.pem", ["mutual.example.com"]);
  const first = https("first", `first.example.com:${port}`);
  const mutual = (...hosts: string[]) =>
    https("mutual", "", {
      hostports: hosts.map((host) => `${host}:${port}`),
      mutual_tls: { certificate_authority_ids: ["ca_1"] },
    });
  here.service.publish({ certificate_authorities: { ca_1: readFileSync(authority.cert, "utf8") } });
  here.start();
  await publish(first, mutual("mutual.example.com"));
  const worker = await here.worker();
  const open = await connected(port, { servername: "first.example.com" });
  assert.ok(open);
  const sessions: Buffer[] = await once(open, "session");
  const [session = Buffer.of()] = sessions;

  const second = put("second.pem", ["second.example.org"]);
  put("more.pem", ["more.example.org"]);
  const all = [first, https("second", `second.example.org:${port}`)];
  await publish(...all, mutual("mutual.example.com", "more.example.org"));
  assert.equal(await shown(port, "second.example.org"), second);
  assert.equal((await call(port, "second.example.org", "/")).body.toString(), "ok");
  assert.equal((await call(port, "more.example.org", "/", options)).body.toString(), "ok");
  for (const servername of ["more.example.org", "mutual.example.com"]) {
    await assert.rejects(call(port, servername, "/"), "a client certificate is required");
    await assert.rejects(call(port, servername, "/", { session }), "a session of another edge does not help");
  }
  assert.equal(
    (await call(port, "first.example.com", "/", { headers: { host: "second.example.org" } })).status,
    421,
  );

  // Renewed with another name: another certificate, for the same edge.
  const wider = put("second.pem", ["second.example.org", "third.example.org"]);
  await until(
    "the wider certificate is served",
    async () => (await shown(port, "second.example.org")) === wider,
  );
  assert.equal(await shown(port, "third.example.org"), "", "no edge has the name");

  // The first certificate of a listener goes, and comes back.
  await publish(https("second", `second.example.org:${port}`), mutual("mutual.example.com"));
  await until("the edge is gone", async () => (await shown(port, "first.example.com")) === "");
  assert.equal(await shown(port, "second.example.org"), wider);
  await publish(...all, mutual("mutual.example.com"));
  assert.notEqual(await shown(port, "first.example.com"), "");
  assert.equal(await here.worker(), worker, "no reload");

  await publish(first, mutual("mutual.example.com"));
  await until("the edge is gone", async () => (await shown(port, "second.example.org")) === "");
  assert.equal(await shown(port, "more.example.org"), "");
  assert.equal(await here.worker(), worker, "no reload");
  assert.equal(
    readdirSync(join(here.state, "current/certificates")).length,
    2,
    "keys that are not needed are deleted",
  );
  open.destroy();
});

test("what HAProxy reads has no empty line, which would end a command, and no other text of the file", (t) => {
  const [from, made] = [folder(t), folder(t)];
  const { cert, key } = certificate(made, ["a.example.com"]);
  const [chain, secret] = [cert, key].map((file) => readFileSync(file, "utf8"));
  const headers = (text = "") => text.replace(/(-----BEGIN .*-----\n)/, "$1Comment: x\n\nshow info\n");
  const variants = [
    `${chain}${secret}`,
    `# text\n\n;show info\n${chain}\n\n\n${secret}\n\nshow info\n`,
    `${chain}${secret}`.replaceAll("\n", "\r\n"),
    headers(chain) + secret,
    chain + headers(secret),
  ];
  let used = 0;
  for (const [index, text] of variants.entries()) {
    writeFileSync(join(from, "a.pem"), text);
    const certificates = new Certificates([new CertificateFolder(from, "file")]);
    certificates.refresh();
    const { content } = certificates.bestFor("a.example.com") ?? {};
    if (content === undefined) continue;
    used += 1;
    assert.match(
      content,
      /^-----BEGIN CERTIFICATE-----\n([\w+/=]{1,64}\n)+-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n([\w+/=]{1,64}\n)+-----END PRIVATE KEY-----\n$/,
      `variant ${index}`,
    );
  }
  assert.ok(used >= 3, `${used} variants are used`);
});

/*
 * The steps themselves.
 */

const pathOf = (certificate: string) => `certificates/${certificate}.pem`;
/** Files with these certificates, and one list with these lines: a certificate and names. */
const files = (contents: Record<string, string>, lines: readonly (readonly [string, string])[]) =>
  new Map([
    ...Object.entries(contents).map(([name, content]) => [pathOf(name), content] as const),
    ["lists/one", lines.map(([name, names]) => `/d/${pathOf(name)} [x] ${names}\n`).join("")] as const,
    ["haproxy.cfg", ""] as const,
  ]);

test("law: the steps lead from any lists to any others, and each line that comes or goes is the only one of its certificate", () => {
  const state = fc
    .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("x", "y", "z")), {
      maxLength: 6,
      selector: String,
    })
    .chain((lines) =>
      fc
        .record({ lines: fc.constant(lines), content: fc.constantFrom("1", "2") })
        .map(({ content }) => files(Object.fromEntries(lines.map(([name]) => [name, content])), lines)),
    );
  let [possible, all] = [0, 0];
  fc.assert(
    fc.property(state, state, (before, after) => {
      all += 1;
      const steps = certificateSteps(before, after);
      const of = (given: ReadonlyMap<string, string>) =>
        (given.get("lists/one") ?? "").split("\n").filter(Boolean);
      if (!steps) {
        const [old, now] = [of(before), of(after)];
        const differing = [
          ...old.filter((line) => !now.includes(line)),
          ...now.filter((line) => !old.includes(line)),
        ];
        const lines = new Set([...old, ...now]);
        const certificateOf = (line: string) => line.split(" ")[0];
        assert.ok(
          differing.some(
            (line) => [...lines].filter((one) => certificateOf(one) === certificateOf(line)).length > 1,
          ),
          "a reload is needed only if a certificate has another line",
        );
        return;
      }
      possible += 1;
      const lines = [...of(before)];
      for (const { certificate, line } of steps.added) {
        assert.ok(lines.every((one) => !one.startsWith(`${certificate} `)));
        lines.push(line);
      }
      for (const { certificate } of steps.removed) {
        const found = lines.filter((one) => one.startsWith(`${certificate} `));
        assert.equal(found.length, 1);
        lines.splice(lines.indexOf(found[0] ?? ""), 1);
      }
      assert.deepEqual(lines.toSorted(), of(after).toSorted());
      const contents = new Map([...before].filter(([path]) => path.startsWith("certificates/")));
      for (const [path, content] of steps.created) {
        assert.ok(!contents.has(path));
        contents.set(path, content);
      }
      for (const [path, content] of steps.renewed) {
        assert.notEqual(contents.get(path) ?? content, content);
        contents.set(path, content);
      }
      for (const path of steps.deleted) assert.ok(contents.delete(path));
      assert.deepEqual(contents, new Map([...after].filter(([path]) => path.startsWith("certificates/"))));
    }),
    { numRuns: 2000 },
  );
  assert.ok(possible > all / 20, `${possible} of ${all}`);
});

test("many certificates at once, and those that are too large for a command, take a reload", () => {
  const many = (count: number) =>
    files(Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, "1"])), []);
  assert.equal(certificateSteps(files({}, []), many(100))?.created.size, 100);
  assert.equal(certificateSteps(files({}, []), many(101)), undefined);
  assert.ok(certificateSteps(files({ a: "1" }, []), files({ a: "é".repeat(7_500) }, [])));
  assert.equal(certificateSteps(files({ a: "1" }, []), files({ a: `${"é".repeat(7_500)}x` }, [])), undefined);
  const names = (length: number) => [["a", "n".repeat(length)]] as const;
  assert.ok(certificateSteps(files({ a: "1" }, []), files({ a: "1" }, names(14_000))));
  assert.equal(certificateSteps(files({ a: "1" }, []), files({ a: "1" }, names(15_000))), undefined);
});
