import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CertificateFolder } from "../../../../packages/agent/src/certificate_folder.ts";
import { Certificates } from "../../../../packages/agent/src/certificates.ts";
import { render } from "../../../../packages/agent/src/render/render.ts";
import { until } from "../../support/wait.ts";
import { fixed, type Test } from "../agent.ts";
import { Clocks } from "../clocks.ts";
import { certificate, folder, freePort, settings, snapshot } from "../proxy.ts";
import { https, shown, startedWithCertificates as started } from "../served_certificates.ts";

/*
 * A file that cannot be used does not take down the certificate that was read from it before.
 */

/** Runs openssl in a folder. */
const openssl = (path: string, command: string): string =>
  execFileSync("openssl", command.split(" "), { cwd: path, stdio: "pipe", encoding: "utf8" });

/** Joins a certificate and its key to a file. */
function joined(path: string, names: string[]): string {
  const file = join(path, "joined.pem");
  writeFileSync(file, names.map((name) => readFileSync(join(path, name), "utf8")).join(""));
  return file;
}

/** A certificate for names with a short RSA key. */
function short(path: string, name: string): string {
  const request = `req -x509 -newkey rsa:1024 -nodes -days 2 -subj /CN=a -addext subjectAltName=DNS:${name}`;
  openssl(path, `${request} -keyout short.key -out short.crt`);
  return joined(path, ["short.crt", "short.key"]);
}

/** A certificate for a name that an authority signed with SHA-1. */
function signedWithSha1(path: string, name: string): string {
  const authority = certificate(path, ["Authority"]);
  openssl(path, "req -new -newkey rsa:2048 -nodes -subj /CN=a -keyout sha1.key -out sha1.csr");
  writeFileSync(join(path, "names"), `subjectAltName=DNS:${name}\n`);
  const sign = `x509 -req -sha1 -in sha1.csr -CA ${authority.cert} -CAkey ${authority.key} -CAcreateserial`;
  openssl(path, `${sign} -days 2 -extfile names -out sha1.crt`);
  return joined(path, ["sha1.crt", "sha1.key"]);
}

const MESSAGE = /a\.pem is not used: .*Its last usable certificate is still served, until 20/;

test("a broken, emptied or unreadable file, and a directory that is gone, leave certificates in use, even after both are restarted", async (t) => {
  const { here, port, put, publish } = await started(t);
  const file = join(here.certificates, "a.pem");
  const first = put("a.pem", ["a.example.com"]);
  const other = put("b.pem", ["b.example.com"]);
  here.start();
  const version = (await publish(https("a", `a.example.com:${port}`), https("b", `b.example.com:${port}`)))
    .applied_version;
  const worker = await here.worker();
  const whole = readFileSync(file);
  const foreign = certificate(folder(t), ["c.example.com"]);
  const keyless = readFileSync(foreign.cert);
  const ofAnotherKey = Buffer.concat([keyless, whole.subarray(whole.indexOf("-----BEGIN PRIVATE"))]);
  for (const content of [whole.subarray(0, whole.length / 2), "", keyless, ofAnotherKey]) {
    here.service.statuses.length = 0;
    writeFileSync(file, content);
    const status = await here.service.reported(({ problems }) =>
      problems.some(({ object, code }) => object === "a.pem" && code === "certificate_unusable"),
    );
    assert.ok(status.ok);
    assert.equal(status.problems.length, 1);
    assert.match(status.problems[0]?.msg ?? "", MESSAGE);
    assert.equal(await shown(port, "a.example.com"), first);
    writeFileSync(file, whole);
    await here.service.reported(({ problems }) => problems.length === 0);
  }
  assert.equal(here.log().match(/a\.pem: certificate_unusable: a\.pem is not used: /g)?.length, 4);
  writeFileSync(file, "");
  await here.service.reported(({ problems }) => problems.length === 1);
  assert.equal(await here.worker(), worker, "no reload");

  await here.end("SIGKILL");
  for (const pid of await here.pids()) process.kill(pid, "SIGKILL");
  await until("nothing is served", async () => (await shown(port, "a.example.com")) === "");
  here.service.statuses.length = 0;
  here.start();
  const { problems } = await here.service.reported(
    (status) => status.applied_version === version && status.problems.length > 0,
  );
  assert.match(problems[0]?.msg ?? "", MESSAGE);
  assert.equal(await shown(port, "a.example.com"), first);
  assert.equal(await shown(port, "b.example.com"), other);
  for (const entry of readdirSync(here.state, { recursive: true, withFileTypes: true }))
    assert.equal(statSync(join(entry.parentPath, entry.name)).mode & 0o077, 0, entry.name);

  const renewed = put("a.pem", ["a.example.com"]);
  await until("the renewed one is served", async () => (await shown(port, "a.example.com")) === renewed);
  await here.service.reported((status) => status.problems.length === 0);
  writeFileSync(file, "");
  await here.service.reported((status) => status.problems.length === 1);
  rmSync(file);
  await until("a deleted file is no longer served", async () => (await shown(port, "a.example.com")) === "");
  rmSync(here.certificates, { recursive: true });
  await here.service.reported(({ problems }) => problems.some(({ object }) => object === here.certificates));
  assert.match(here.log(), /Cannot read the certificate directory: \S+ does not exist\.$/m);
  assert.equal(await shown(port, "b.example.com"), other);
});

test("a certificate that HAProxy rejects is tried again after five seconds, and then every ten minutes", async (t) => {
  const { here, port, put, publish } = await started(t);
  const clocks = new Clocks(here);
  const [reject, tried] = [join(here.directory, "reject"), join(here.directory, "tried")];
  const trial = `echo >> ${tried}; if [ -e ${reject} ]; then echo "[ALERT] (1) : config : parsing [$3:7] : no" >&2; exit 1; fi`;
  put("a.pem", ["a.example.com"]);
  here.start(["--haproxy", here.wrapper(`case "$3" in */trial/*) ${trial} ;; esac`)]);
  await publish(https("a", `a.example.com:${port}`));
  const trials = () => readFileSync(tried, "utf8").length;
  writeFileSync(reject, "");
  const renewed = put("a.pem", ["a.example.com"]);
  const isReported = (): Promise<unknown> =>
    here.service.reported(({ problems }) => problems.some(({ code }) => code === "certificate_unusable"));
  await isReported();
  const before = trials();
  clocks.pass(5_000);
  await until("it is tried again", () => trials() === before + 1);
  here.service.statuses.length = 0;
  // The real seconds of this test count too.
  for (let seconds = 0; seconds < 531; seconds += 59) {
    clocks.pass(59_000);
    await publish(https("a", `a.example.com:${port}`), https("b", `b${seconds}.example.com:${port}`));
  }
  await isReported();
  assert.equal(trials(), before + 1, "the second verdict counts for ten minutes");
  assert.notEqual(await shown(port, "a.example.com"), renewed);
  rmSync(reject);
  clocks.pass(120_000);
  await until("it is served", async () => (await shown(port, "a.example.com")) === renewed);
});

test("a certificate that HAProxy rejects leaves the one before it in use, and its file is named", async (t) => {
  const { here, path, port, put, publish } = await started(t);
  const first = put("a.pem", ["a.example.com"]);
  const other = put("b.pem", ["b.example.com"]);
  const edges = [https("a", `a.example.com:${port}`), https("b", `b.example.com:${port}`)];
  here.start();
  await publish(...edges);
  const worker = await here.worker();
  // HAProxy 3.0 says why.
  const rejected: [make: (path: string, name: string) => string, told: RegExp][] = [
    [
      short,
      /a\.pem is not used: HAProxy rejects it: unable to load SSL certificate into SSL Context(: ee key too small)? \(an RSA key of 1024 bits\)\. Its last/,
    ],
    [
      signedWithSha1,
      /a\.pem is not used: HAProxy rejects it: unable to load SSL certificate into SSL Context(: ca md too weak)?\. Its last/,
    ],
  ];
  for (const [make, told] of rejected) {
    copyFileSync(make(path, "a.example.com"), join(here.certificates, "a.pem"));
    const status = await here.service.reported(({ problems }) => problems.some(({ msg }) => told.test(msg)));
    assert.deepEqual(
      [status.ok, status.problems.map(({ object, code }) => [object, code])],
      [true, [["a.pem", "certificate_unusable"]]],
    );
    assert.equal(await shown(port, "a.example.com"), first);
  }
  assert.equal(await here.worker(), worker, "no reload");

  // One that was never any good costs only the edge that needs it.
  copyFileSync(short(path, "c.example.com"), join(here.certificates, "c.pem"));
  const { problems } = await publish(...edges, https("c", `c.example.com:${port}`));
  assert.deepEqual(problems.map(({ object, code }) => [object, code]).toSorted(), [
    ["a.pem", "certificate_unusable"],
    ["c.pem", "certificate_unusable"],
    ["edghts_c", "certificate_missing"],
  ]);
  assert.equal(await shown(port, "b.example.com"), other);
  const renewed = put("c.pem", ["c.example.com"]);
  await until("the new one is served", async () => (await shown(port, "c.example.com")) === renewed);
});

/** Certificates of a folder, with clocks that the test sets. */
function watched(t: Test & { mock: typeof test.mock }) {
  const [from, made] = [folder(t), folder(t)];
  let steady = performance.now();
  t.mock.method(performance, "now", () => steady);
  const certificates = new Certificates([new CertificateFolder(from, "file")]);
  const put = (file: string, names: readonly string[]): void => {
    copyFileSync(certificate(made, names).pem, join(from, file));
    certificates.refresh();
  };
  return {
    from,
    made,
    certificates,
    put,
    break: (file: string) => {
      writeFileSync(join(from, file), "");
      certificates.refresh();
    },
    pass: (milliseconds: number) => (steady += milliseconds),
    best: (host = "a.example.com") => certificates.bestFor(host)?.content,
    told: () => certificates.problems().map(({ object, msg }) => `${object}: ${msg}`),
  };
}

test("the last certificate of a broken file goes when it expires", (t) => {
  const { certificates, put, break: broken, pass, best, told } = watched(t);
  put("a.pem", ["a.example.com"]);
  broken("a.pem");
  assert.ok(best() !== undefined);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3 * 86_400_000 });
  pass(3 * 86_400_000);
  assert.ok(certificates.refresh());
  assert.equal(best(), undefined);
  assert.doesNotMatch(told().join("\n"), /still served/);
});

test("the last certificate of a broken file goes when a valid file has its names", (t) => {
  const { put, break: broken, best, told } = watched(t);
  put("a.pem", ["a.example.com", "b.example.com"]);
  const first = best();
  broken("a.pem");
  put("c.pem", ["b.example.com"]);
  assert.equal(best(), first, "only some of the names");
  put("d.pem", ["a.example.com", "b.example.com", "c.example.com"]);
  assert.ok(best() !== undefined && best() !== first);
  assert.equal(told().length, 1);
  assert.doesNotMatch(told().join("\n"), /still served/);
});

test("a file that is missing in one check is not gone", (t) => {
  const { from, certificates, put, pass, best } = watched(t);
  put("a.pem", ["a.example.com"]);
  const first = best();
  renameSync(join(from, "a.pem"), join(from, ".away"));
  for (let check = 0; check < 3; check++) certificates.refresh();
  assert.equal(best(), first, "three checks at once are one");
  renameSync(join(from, ".away"), join(from, "a.pem"));
  pass(2_000);
  certificates.refresh();
  assert.equal(best(), first);
  rmSync(join(from, "a.pem"));
  certificates.refresh();
  assert.equal(best(), first, "the first check in which it is missing");
  pass(2_000);
  assert.ok(certificates.refresh());
  assert.equal(best(), undefined);
});

test("a certificate that HAProxy rejects gives way to the last one that it accepted", (t) => {
  const { certificates, put, break: broken, best, told } = watched(t);
  put("a.pem", ["a.example.com"]);
  const accepted = best() ?? "";
  certificates.accept([accepted]);
  for (let round = 0; round < 12; round++) {
    put("a.pem", ["a.example.com"]);
    const next = best() ?? "";
    assert.notEqual(next, accepted);
    if (round % 2 === 0) certificates.reject(next, "no");
  }
  certificates.reject(best() ?? "", "no");
  broken("a.pem");
  while (best() !== accepted && best() !== undefined) certificates.reject(best() ?? "", "no");
  assert.equal(best(), accepted);
  assert.match(told().join("\n"), MESSAGE);
});

test("an expired certificate beside a valid one for its names is unused, and the report says so", (t) => {
  const { from, made, put, best, told, certificates } = watched(t);
  // Its end is the moment at which it is made.
  openssl(made, "req -new -newkey rsa:2048 -nodes -subj /CN=a -keyout old.key -out old.csr");
  writeFileSync(join(made, "names"), "subjectAltName=DNS:a.example.com,DNS:*.example.com,IP:127.0.0.1\n");
  openssl(made, "x509 -req -in old.csr -signkey old.key -days 0 -extfile names -out old.crt");
  copyFileSync(joined(made, ["old.crt", "old.key"]), join(from, "old.pem"));
  certificates.refresh();
  const old = best();
  assert.ok(old !== undefined);
  const isServed = /^old\.pem: The certificate in old\.pem expired at .*; it is still served\. Renew it\.$/;
  assert.match(told().join("\n"), isServed);
  put("some.pem", ["a.example.com", "127.0.0.1"]);
  assert.match(told().join("\n"), isServed, "for other names");
  put("all.pem", ["*.example.com"]);
  assert.ok([best(), best("127.0.0.1"), best("b.example.com")].every((one) => one !== old));
  assert.match(
    told().join("\n"),
    /^old\.pem: The certificate in old\.pem expired at .* and is unused: delete it\.$/,
  );
});

test("says that a key is encrypted", (t) => {
  const { from, made, certificates, told } = watched(t);
  const { cert, key } = certificate(made, ["a.example.com"]);
  for (const [file, command] of [
    ["new.pem", `pkcs8 -topk8 -in ${key} -passout pass:x -out encrypted.key`],
    ["old.pem", `ec -aes128 -in ${key} -passout pass:x -out encrypted.key`],
  ] as const) {
    openssl(made, command);
    writeFileSync(
      join(from, file),
      readFileSync(cert, "utf8") + readFileSync(join(made, "encrypted.key"), "utf8"),
    );
  }
  certificates.refresh();
  assert.deepEqual(
    told(),
    ["new.pem", "old.pem"].map(
      (file) =>
        `${file}: ${file} is not used: the key is encrypted. Expected PEM: the chain, then its private key, without a passphrase.`,
    ),
  );
});

test("reports an EC key that describes its curve, and serves its certificate", (t) => {
  const { from, made, certificates, best, told } = watched(t);
  openssl(made, "ecparam -name prime256v1 -genkey -param_enc explicit -noout -out key");
  openssl(made, "req -x509 -key key -days 2 -subj /CN=a -addext subjectAltName=DNS:a.example.com -out crt");
  copyFileSync(joined(made, ["crt", "key"]), join(from, "a.pem"));
  certificates.refresh();
  assert.ok(best() !== undefined);
  assert.match(
    told().join("\n"),
    /^a\.pem: .* is served, but clients with OpenSSL 3 reject it: an EC key describes its curve/,
  );
});

test("names the file of a certificate that has only a common name", async (t) => {
  const { from, made, certificates } = watched(t);
  openssl(made, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /O=x/CN=A.example.com -keyout key -out crt");
  copyFileSync(joined(made, ["crt", "key"]), join(from, "common.pem"));
  certificates.refresh();
  const { problems } = render(
    snapshot({
      edges: [https("a", `a.example.com:${await freePort()}`)],
      backends: { bkdhr_1: fixed("ok") },
    }),
    settings({ certificateIgnoredFor: (host) => certificates.ignoredFor(host) }),
  );
  assert.deepEqual(
    problems.map(({ object, code }) => [object, code]),
    [["edghts_a", "certificate_missing"]],
  );
  assert.match(
    problems[0]?.msg ?? "",
    /no certificate for a\.example\.com\. common\.pem names it only as its common name/,
  );
  assert.equal(certificates.ignoredFor("b.example.com"), undefined);
});

test("reports two authorities with the same subject, unless they have the same key", async (t) => {
  const made = folder(t);
  const authority = (name: string): string => {
    openssl(
      made,
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Authority -keyout ${name}.key -out ${name}`,
    );
    return readFileSync(join(made, name), "utf8");
  };
  const first = authority("first");
  openssl(made, "req -x509 -key first.key -days 3 -subj /CN=Authority -out again");
  const again = readFileSync(join(made, "again"), "utf8");
  const port = await freePort();
  const problemsOf = (second: string) =>
    render(
      snapshot({
        edges: [
          https("a", `a.example.com:${port}`, {
            mutual_tls: { certificate_authority_ids: ["ca_1", "ca_2"] },
          }),
        ],
        backends: { bkdhr_1: fixed("ok") },
        certificate_authorities: { ca_1: first, ca_2: second },
      }),
      settings({ certificateFor: () => ({ file: "certificates/a.pem", content: "", names: [] }) }),
    ).problems.map(({ object, code, msg }) => `${object} ${code}: ${msg}`);
  assert.match(
    problemsOf(authority("second")).join("\n"),
    /^edghts_a certificate_authority_same_subject: Served, but .* the same subject as an earlier one: ca_2 \(after ca_1\)\./,
  );
  assert.deepEqual(problemsOf(again), []);
});
