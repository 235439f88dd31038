import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CertificateFolder } from "../../../packages/agent/src/certificate_folder.ts";
import { Certificates } from "../../../packages/agent/src/certificates.ts";
import { readTrusted, securedPath } from "../../../packages/agent/src/ownership.ts";
import { State } from "../../../packages/agent/src/state.ts";
import { world, type World } from "./agent.ts";
import { certificate, folder } from "./proxy.ts";

/*
 * Another user of the machine: nothing that this user can write or replace is used.
 */

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const asRoot = { skip: isRoot ? false : "only root can make files of another user" };

/** A directory of another user. */
function foreign(path: string): string {
  mkdirSync(path);
  chownSync(path, NOBODY, NOBODY);
  return path;
}

const fifo = (path: string): void => void execFileSync("mkfifo", ["-m", "600", path]);

/** The exit status of an agent, and what it printed. */
async function tried(here: World, given: string[] = []): Promise<{ code: number | null; log: string }> {
  const begin = here.agent ? here.log().length : 0;
  const child = here.start(given);
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await once(child, "exit");
  clearTimeout(timer);
  return { code: child.exitCode, log: here.log().slice(begin) };
}

const refused: [
  name: string,
  make: (state: string, path: string) => void,
  told: RegExp,
  needsRoot: boolean,
][] = [
  ["a directory of another user", (state) => foreign(state), /belongs to user 65534/, true],
  [
    "a directory that everybody can write to",
    (state) => {
      mkdirSync(state);
      chmodSync(state, 0o777);
    },
    /is writable by other users/,
    false,
  ],
  [
    "a link to a directory",
    (state, path) => {
      mkdirSync(join(path, "real"), { mode: 0o700 });
      symlinkSync(join(path, "real"), state);
    },
    /has an unexpected file type/,
    false,
  ],
  ["a file", (state) => writeFileSync(state, ""), /is a file, not a directory/, false],
  [
    "a sticky directory of everybody",
    (state) => {
      mkdirSync(state);
      chmodSync(state, 0o1777);
    },
    /is writable by other users/,
    false,
  ],
  ...["run", "releases"].map((name): (typeof refused)[number] => [
    `${name}/ of another user`,
    (state) => {
      mkdirSync(state, { mode: 0o700 });
      foreign(join(state, name));
    },
    /belongs to user 65534/,
    true,
  ]),
  [
    "releases/ that is a link",
    (state, path) => {
      mkdirSync(state, { mode: 0o700 });
      symlinkSync(path, join(state, "releases"));
    },
    /releases has an unexpected file type/,
    false,
  ],
  [
    "a lock that is a FIFO",
    (state) => {
      mkdirSync(state, { mode: 0o700 });
      fifo(join(state, "lock"));
    },
    /lock has an unexpected file type/,
    false,
  ],
  [
    "a snapshot that is a link",
    (state) => {
      mkdirSync(state, { mode: 0o700 });
      symlinkSync("/etc/passwd", join(state, "snapshot.json"));
    },
    /snapshot.json has an unexpected file type/,
    false,
  ],
  [
    "a release of another user",
    (state) => {
      mkdirSync(join(state, "releases", "1"), { recursive: true, mode: 0o700 });
      writeFileSync(join(state, "releases", "1", "haproxy.cfg"), "global\n");
      chownSync(join(state, "releases", "1", "haproxy.cfg"), NOBODY, NOBODY);
    },
    /haproxy.cfg belongs to user 65534/,
    true,
  ],
];

test("the agent does not start on a state directory that others can change", async (t) => {
  const here = await world(t);
  for (const [name, make, told, needsRoot] of refused) {
    if (needsRoot && !isRoot) continue;
    make(here.state, here.directory);
    const { code, log } = await tried(here);
    assert.equal(code, 1, `${name}: ${log}`);
    assert.match(log, told, name);
    assert.ok(!existsSync(join(here.state, "current")), name);
    rmSync(here.state, { recursive: true, force: true });
    rmSync(join(here.directory, "real"), { recursive: true, force: true });
  }
});

test("parents that others can replace are refused, and sticky ones are not", asRoot, (t) => {
  const path = folder(t);
  const made = (name: string, mode: number, owner = 0): string => {
    mkdirSync(join(path, name));
    chmodSync(join(path, name), mode);
    chownSync(join(path, name), owner, owner);
    return join(path, name);
  };
  const [open, shared, theirs] = [made("open", 0o777), made("shared", 0o1777), made("theirs", 0o755, NOBODY)];
  mkdirSync(join(theirs, "inner"));
  assert.throws(() => securedPath(join(open, "state"), true), /Other users can write to/);
  assert.ok(!existsSync(join(open, "state")), "nothing is made there");
  assert.throws(() => securedPath(join(theirs, "inner")), /belongs to user 65534/);
  assert.equal(securedPath(join(shared, "a", "b"), true), join(shared, "a", "b"));
  assert.equal(lstatSync(join(shared, "a")).mode & 0o777, 0o700);

  // Links count as what they are, and as where they lead.
  symlinkSync(shared, join(path, "link"));
  assert.equal(securedPath(join(path, "link", "a")), join(shared, "a"));
  symlinkSync(join(theirs, "inner"), join(path, "bad"));
  assert.throws(() => securedPath(join(path, "bad")), /belongs to user 65534/);
  symlinkSync(path, join(shared, "planted"));
  execFileSync("chown", ["-h", String(NOBODY), join(shared, "planted")]);
  assert.throws(() => securedPath(join(shared, "planted")), /planted belongs to user 65534/);
  symlinkSync("loop", join(path, "loop"));
  assert.throws(() => securedPath(join(path, "loop")), /too many symbolic links/);
});

test("no file of a release is written outside of it", (t) => {
  const path = folder(t);
  const state = new State(join(path, "st"));
  for (const name of [
    ".",
    "./a",
    "../escaped",
    "a/../../escaped",
    "/etc/escaped",
    "..",
    "",
    "a//b",
    "a\nb",
  ]) {
    assert.throws(() => state.writeRelease(1, new Map([[name, ""]])), RangeError, name);
    assert.throws(() => state.rewrite(1, new Map([[name, ""]]), []), RangeError, name);
    assert.throws(() => state.rewrite(1, new Map(), [name]), RangeError, name);
  }
  assert.ok(!existsSync(join(state.releases, "escaped")));
});

test("certificates that are no plain files, or that others can write, neither hang the agent nor are used", (t) => {
  const [from, made] = [folder(t), folder(t)];
  const { pem } = certificate(made, ["a.example"]);
  const put = (name: string): string => {
    copyFileSync(pem, join(from, name));
    chmodSync(join(from, name), 0o600);
    return join(from, name);
  };
  fifo(join(from, "fifo.pem"));
  symlinkSync(join(from, "fifo.pem"), join(from, "fifo_link.pem"));
  symlinkSync("/dev/zero", join(from, "device.pem"));
  mkdirSync(join(from, "directory.pem"));
  symlinkSync(join(from, "nowhere"), join(from, "dangling.pem"));
  chmodSync(put("writable.pem"), 0o666);
  if (isRoot) chownSync(put("theirs.pem"), NOBODY, NOBODY);
  const certificates = new Certificates([new CertificateFolder(from, "file")]);
  certificates.refresh();
  const problems = certificates.problems().map(({ object, code }) => `${object} ${code}`);
  const bad = [
    "dangling",
    "device",
    "directory",
    "fifo",
    "fifo_link",
    ...(isRoot ? ["theirs"] : []),
    "writable",
  ];
  assert.deepEqual(
    problems,
    bad.map((name) => `${name}.pem certificate_unusable`),
  );
  assert.equal(certificates.bestFor("a.example"), undefined);

  // As certbot has them: a link to the newest of an archive.
  symlinkSync(pem, join(from, "live.pem"));
  chmodSync(pem, 0o600);
  certificates.refresh();
  assert.notEqual(certificates.bestFor("a.example"), undefined);

  // What others can write to is not read; what was read before stays.
  chmodSync(from, 0o777);
  const later = new Date(Date.now() + 10_000);
  utimesSync(pem, later, later);
  lutimesSync(join(from, "live.pem"), later, later);
  assert.ok(certificates.refresh());
  assert.deepEqual(
    certificates.problems().map(({ object, code }) => [object, code]),
    [[from, "certificate_unusable"]],
  );
  assert.notEqual(certificates.bestFor("a.example"), undefined);
  assert.ok(new Certificates([new CertificateFolder(from, "file")]).refresh());
});

test("roots of upstreams are a plain file that others cannot replace", async (t) => {
  const here = await world(t);
  const roots = join(here.directory, "roots");
  const attempts: [make: () => void, told: RegExp][] = [
    [() => fifo(roots), /not a regular file/],
    [() => mkdirSync(roots), /not a regular file/],
    [() => symlinkSync("/dev/zero", roots), /not a regular file/],
    [() => writeFileSync(roots, "", { mode: 0o600 }), /other users can write to it/],
  ];
  for (const [make, told] of attempts) {
    make();
    if (lstatSync(roots).isFile()) chmodSync(roots, 0o666);
    const { code, log } = await tried(here, ["--upstream-roots", roots]);
    assert.equal(code, 1);
    assert.match(log, told);
    rmSync(roots, { recursive: true });
  }
});

test("a file that turns into a FIFO between check and use does not hang the agent", async (t) => {
  const path = folder(t);
  const { pem } = certificate(path, ["a.example"]);
  chmodSync(pem, 0o600);
  const [pipe, file] = [join(path, "pipe"), join(path, "swapped.pem")];
  fifo(pipe);
  copyFileSync(pem, file);
  // Swaps them for three seconds. A writer ends the wait of whoever has opened the FIFO.
  const swaps = `
    const { closeSync, constants, linkSync, openSync, renameSync } = require("node:fs");
    const end = Date.now() + 3000;
    while (Date.now() < end)
      for (const from of ${JSON.stringify([pipe, pem])}) {
        linkSync(from, ${JSON.stringify(`${file}.new`)});
        renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
      }
    const writer = openSync(${JSON.stringify(pipe)}, constants.O_RDWR);
    setTimeout(() => closeSync(writer), 200);`;
  const swapping = spawn(process.execPath, ["-e", swaps], { stdio: "inherit" });
  const ended = once(swapping, "exit");
  let [longest, pipes, files] = [0, 0, 0];
  const end = Date.now() + 2500;
  while (Date.now() < end) {
    const begin = performance.now();
    try {
      readTrusted(file, 1_000_000);
      files += 1;
    } catch {
      pipes += 1;
    }
    longest = Math.max(longest, performance.now() - begin);
  }
  t.diagnostic(`read it ${files} times, rejected it ${pipes} times`);
  assert.ok(files > 0 && pipes > 0);
  assert.ok(longest < 1000, `${longest} ms`);
  assert.equal((await ended)[0], 0);
});
