// Builds the Debian package of the agent: node scripts/deb.ts [FOLDER] [--version VERSION]. Needs dpkg-deb.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import * as z from "zod";

const AGENT = join("packages", "agent");
const OWN = join(AGENT, "debian");

const { values, positionals } = parseArgs({
  options: { version: { type: "string" } },
  allowPositionals: true,
});
const Manifest = z.object({
  version: z.string(),
  engines: z.object({ node: z.string().regex(/^>=[\d.]+$/) }),
});
const manifest = Manifest.parse(JSON.parse(readFileSync(join(AGENT, "package.json"), "utf8")));
const version = values.version ?? manifest.version;
const folder = resolve(positionals[0] ?? "dist");
const node = manifest.engines.node.slice(2);

const root = mkdtempSync(join(tmpdir(), "edge-deb-"));
chmodSync(root, 0o755);
/** Writes a file of the package. The group and others have no more rights than in `mode`. */
const put = (path: string, content: string | Buffer, mode = 0o644): void => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content);
  chmodSync(file, mode);
};
const own = (name: string): string => readFileSync(join(OWN, name), "utf8");
/** Without the time, so that the same sources make the same bytes. */
const zipped = (text: string): Buffer => gzipSync(text, { level: 9 });

const help = execFileSync(process.execPath, [join(AGENT, "bin", "edge-agent.js"), "--help"], {
  encoding: "utf8",
});
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll(/^([.'])/gm, "\\&$1")
    .replaceAll("-", "\\-");
const manual = `.TH EDGE\\-AGENT 8 "" "${version}" "System administration"
.SH NAME
edge\\-agent \\- serves the configuration of the Edge Configuration API with HAProxy
.SH DESCRIPTION
.nf
${escaped(help.trimEnd())}
.fi
.SH FILES
.TP
.I /etc/edge\\-agent/agent.env
The key and the options.
.TP
.I /etc/edge\\-agent/certificates
Server certificates.
.TP
.I /var/lib/edge\\-agent
The state: what HAProxy serves.
.SH SEE ALSO
.BR haproxy (1)
`;

try {
  put("usr/share/edge-agent/edge-agent.mjs", readFileSync(join(AGENT, "dist", "edge-agent.js")));
  put(
    "usr/bin/edge-agent",
    '#!/bin/sh\nexec /usr/bin/node /usr/share/edge-agent/edge-agent.mjs "$@"\n',
    0o755,
  );
  put("lib/systemd/system/edge-agent.service", own("edge-agent.service"));
  put("etc/edge-agent/agent.env", own("agent.env"), 0o600);
  mkdirSync(join(root, "etc/edge-agent/certificates"), { mode: 0o750 });
  put("usr/share/man/man8/edge-agent.8.gz", zipped(manual));
  put("usr/share/doc/edge-agent/README.md.gz", zipped(readFileSync(join(AGENT, "README.md"), "utf8")));
  put(
    "usr/share/doc/edge-agent/copyright",
    `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: edge-agent

Files: *
Copyright: 2026 The Edge Configuration API authors
License: Expat
${readFileSync("LICENSE", "utf8")
  .split("\n")
  .slice(4)
  .map((line) => (line.trim() === "" ? " ." : ` ${line}`))
  .join("\n")
  .replace(/( \.\n?)+$/, "")}
`,
  );
  put(
    "usr/share/doc/edge-agent/changelog.gz",
    zipped(`edge-agent (${version}) stable; urgency=medium

  * See CHANGELOG.md of this release.

 -- The Edge Configuration API authors <edge-agent@example.com>  Thu, 01 Jan 2026 00:00:00 +0000
`),
  );
  put("DEBIAN/conffiles", "/etc/edge-agent/agent.env\n");
  for (const script of ["postinst", "prerm", "postrm"]) put(`DEBIAN/${script}`, own(script), 0o755);
  const kibibytes = Math.ceil(statSync(join(AGENT, "dist", "edge-agent.js")).size / 1024) + 64;
  put(
    "DEBIAN/control",
    `Package: edge-agent
Version: ${version}
Architecture: all
Maintainer: The Edge Configuration API authors <edge-agent@example.com>
Installed-Size: ${kibibytes}
Depends: adduser, haproxy (>= 2.6), nodejs (>= ${node})
Section: net
Priority: optional
Description: agent of the Edge Configuration API
 Follows the configuration of an Edge Configuration API and serves it with
 HAProxy on this machine: TCP, TLS and HTTPS edges, their routes, IP policies,
 traffic policies and backends.
`,
  );
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `edge-agent_${version}_all.deb`);
  const built = join(root, "..", `edge-agent.${process.pid}.deb`);
  execFileSync("dpkg-deb", ["--root-owner-group", "--uniform-compression", "-Zxz", "--build", root, built], {
    env: { ...process.env, SOURCE_DATE_EPOCH: "1767225600" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  copyFileSync(built, file);
  rmSync(built);
  console.info(file);
} finally {
  rmSync(root, { recursive: true, force: true });
}
