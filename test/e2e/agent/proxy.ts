// A real HAProxy for tests: what the renderer wrote, on loopback, with certificates made for the purpose.
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ask } from "../../../packages/agent/src/admin_socket.ts";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import type { ServerCertificate } from "../../../packages/agent/src/render/contract.ts";
import { render, type Rendered, type Settings } from "../../../packages/agent/src/render/render.ts";
import type { Edge, HttpsEdge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { end } from "../support/children.ts";
import { until } from "../support/wait.ts";

/** A snapshot with nothing in it but what is given. */
export const snapshot = (given: Partial<Snapshot>): Snapshot => ({
  version: 1,
  edges: [],
  ip_policies: {},
  backends: {},
  certificate_authorities: {},
  problems: [],
  ...given,
});

/** Settings that allow everything. */
export const settings = (given: Partial<Settings> = {}): Settings => ({
  directory: "/tmp/rendered",
  sockets: "/tmp/sockets",
  certificateFor: () => undefined,
  resolve: () => undefined,
  isUpstreamAllowed: () => true,
  objectionTo: () => undefined,
  isWanted: () => true,
  ignoreTrafficPolicies: false,
  keySetOf: () => ({ keys: [] }),
  rejected: new Set(),
  haproxy: [2, 6],
  ...given,
});

export const tcpEdge = (id: string, hostports: string[], backend_id: string) =>
  ({ kind: "tcp", id, hostports, backend: { backend_id } }) as const satisfies Edge;

/** An edge with a restriction. */
export const restricted = <Restricted extends Edge>(edge: Restricted, ip_policy_ids = ["ipp_1"]) => ({
  ...edge,
  ip_restriction: { ip_policy_ids },
});

export const httpsEdge = (id: string, hostports: string[], routes: HttpsEdge["routes"]): HttpsEdge => ({
  kind: "https",
  id,
  hostports,
  tls_termination: { min_version: "1.2" },
  routes,
});

/** A folder of its own in the system's temporary one, which is removed when the test ends. */
export function folder(test: { after: (hook: () => void) => void }): string {
  const path = mkdtempSync(join(tmpdir(), "edge"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A PEM file as what the agent knows of it. */
export const serverCertificate = (path: string, names: readonly string[] = []): ServerCertificate => ({
  file: `certificates/${path.replaceAll("/", "_")}`,
  content: readFileSync(path, "utf8"),
  names,
});

/** Writes what was rendered into its directory. */
export function write(rendered: Rendered, { directory, sockets }: Settings): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  for (const [path, content] of allFiles(rendered)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** What `haproxy -c` says against it; empty if nothing. */
export function complaints(rendered: Rendered, settings: Settings): string {
  write(rendered, settings);
  const { status, stderr, stdout } = spawnSync(
    "haproxy",
    ["-c", "-f", join(settings.directory, "haproxy.cfg")],
    {
      encoding: "utf8",
    },
  );
  const said = `${stdout}${stderr}`.replace("Configuration file is valid\n", "");
  return status === 0 ? said : `refused: ${said}`;
}

/** Serves a snapshot until the test ends. */
export async function serve(
  test: { after: (hook: () => unknown) => void },
  given: Partial<Snapshot>,
  givenSettings: Partial<Settings> = {},
): Promise<Rendered & { settings: Settings; log: () => string }> {
  const path = mkdtempSync(join(tmpdir(), "edge"));
  const used = settings({
    directory: join(path, "files"),
    sockets: join(path, "s"),
    ipv6: false,
    ...givenSettings,
  });
  const rendered = render(snapshot(given), used);
  const said = complaints(rendered, used);
  if (said !== "") throw new Error(said);
  const child: ChildProcess = spawn("haproxy", ["-f", join(used.directory, "haproxy.cfg")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout?.on("data", (data: Buffer) => (log += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (log += data.toString()));
  test.after(async () => {
    await end(child, "SIGKILL");
    rmSync(path, { recursive: true, force: true });
  });
  await until("HAProxy answers", () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`HAProxy did not start: ${log}`);
    return ask(join(used.sockets, "admin"), "show info").catch(() => "");
  });
  return { ...rendered, settings: used, log: () => log };
}

export { freePort } from "../support/ports.ts";

/** Files of a certificate for these names (or IP addresses), signed by itself, or by an authority: `pem` holds certificate and key. */
export function certificate(
  path: string,
  names: readonly string[],
  signedBy?: { cert: string; key: string },
  constraints = "CA:FALSE",
  days = 2,
) {
  const [name = "unnamed"] = names;
  const file = join(path, `${name.replaceAll(/[^\w.]/g, "_")}_${signedBy ? "leaf" : "self"}`);
  const subjects = names.map((name) => (/^[\d.]+$|:/.test(name) ? `IP:${name}` : `DNS:${name}`)).join(",");
  const authority = signedBy
    ? ["-CA", signedBy.cert, "-CAkey", signedBy.key, "-addext", `basicConstraints=${constraints}`]
    : [];
  const key = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days}`.split(" ");
  const files = ["-keyout", `${file}.key`, "-out", `${file}.crt`, "-subj", `/CN=${name}`];
  execFileSync("openssl", [...key, ...files, "-addext", `subjectAltName=${subjects}`, ...authority], {
    stdio: "pipe",
  });
  execFileSync("sh", ["-c", 'cat "$1.crt" "$1.key" > "$1.pem"', "sh", file]);
  return { cert: `${file}.crt`, key: `${file}.key`, pem: `${file}.pem` };
}

/** The version of HAProxy, such as `2.6`. */
export const VERSION =
  /version (\d+\.\d+)/.exec(execFileSync("haproxy", ["-v"], { encoding: "utf8" }))?.[1] ?? "";
