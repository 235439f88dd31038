import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { judged } from "../../support/naive_access.ts";
import { serverCertificate } from "../agent/proxy.ts";
import { certificatesIn, type Certificate } from "./certificates.ts";
import { startService, givenBy, type Service } from "./service.ts";

/*
 * Access decisions: the service's `access`, HAProxy with the configuration that the agent renders, and a naive evaluation of all
 * rules must agree. HAProxy receives each source by the PROXY protocol, on unix sockets that replace the listeners. The rendered
 * configuration has one other change: rules on connections wait for the PROXY header.
 */

const HOST = "route.agreement.test";

let service: Service;
let folder: string;
let certificate: Certificate;
const children = new Set<ChildProcess>();

/*
 * Random policies and addresses. They differ in few bits, so that networks often contain the addresses.
 */

const v4 = (bits: number): string => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
const hex = (bits: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(":");

const bits32 = fc
  .tuple(fc.constantFrom(0, 0x0a000000, 0xc0000200, 0xffffff00), fc.constantFrom(0, 1, 2, 3, 127, 128, 255))
  .map(([high, low]) => (high | low) >>> 0);
const bits128 = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        0n,
        0xffffn << 32n,
        0x20010db8n << 96n,
        (0x20010db8n << 96n) | (1n << 64n),
        0x0064ff9bn << 96n,
      ),
      fc.oneof(bits32, fc.constantFrom(0, 1, 2, 255)),
    )
    .map(([high, low]) => high | BigInt(low)),
  // 6to4 (RFC 3056): 2002:, and an IPv4 address.
  bits32.map((bits) => (0x2002n << 112n) | (BigInt(bits) << 80n)),
);
const address = fc.oneof(
  bits32.map(v4),
  bits128.map(hex),
  bits32.map((bits) => `::ffff:${v4(bits)}`),
  bits32.map((bits) => `::${v4(bits)}`),
  fc.ipV4(),
  fc.ipV6(),
);
const cidr = fc.oneof(
  fc.tuple(bits32, fc.constantFrom(0, 1, 7, 8, 24, 25, 30, 31, 32)).map(([bits, length]) => {
    const network = length === 0 ? 0 : (bits & (-1 << (32 - length))) >>> 0;
    return `${v4(network)}/${length}`;
  }),
  fc
    .tuple(bits128, fc.constantFrom(0, 1, 16, 32, 48, 64, 95, 96, 97, 104, 120, 127, 128))
    .map(([bits, length]) => {
      const rest = BigInt(128 - length);
      return `${hex((bits >> rest) << rest)}/${length}`;
    }),
);
const rule = fc.record({ cidr, action: fc.constantFrom("allow", "allow", "deny") });
const policies = fc.array(fc.array(rule, { maxLength: 8 }), { maxLength: 3 });

/** Edges with different policies, and the addresses to test with all of them. */
const drawn = fc.record({
  edges: fc.array(policies, { minLength: 1, maxLength: 10 }),
  ips: fc.array(address, { minLength: 5, maxLength: 40 }),
});

interface Subject {
  /** `tcp` or a path on the HTTPS edge. */
  socket: string;
  path: string | undefined;
  access: string;
  rules: { id: string; cidr: string; action: string }[];
  hasPolicies: boolean;
}

let ports = 20_000;

/** Creates a TCP edge and a route for each set of policies. */
async function givenSubjects(edges: { cidr: string; action: string }[][][]): Promise<Subject[]> {
  const given = givenBy(service);
  const backend = { backend_id: (await given.fixedResponse({ body: "in" })).id };
  ports += 1;
  const https = await given.httpsEdge({ hostports: [`${HOST}:${ports}`] });
  const httpsSocket = `${ports}.sock`;
  const subjects: Subject[] = [];
  for (const drawnPolicies of edges) {
    const ip_policy_ids: string[] = [];
    const rules: Subject["rules"] = [];
    for (const some of drawnPolicies) {
      const { id } = await given.policy();
      ip_policy_ids.push(id);
      for (const { action, cidr } of some)
        rules.push(await given.rule(id, action === "deny" ? "deny" : "allow", cidr));
    }
    const ip_restriction = { ip_policy_ids };
    ports += 1;
    const edge = await given.tcpEdge({ hostports: [`127.0.0.1:${ports}`], backend, ip_restriction });
    const route = await given.route(https.id, {
      match_type: "exact_path",
      match: `/${subjects.length}`,
      backend,
      ip_restriction,
    });
    const hasPolicies = ip_policy_ids.length > 0;
    subjects.push({ socket: `${ports}.sock`, path: undefined, access: edge.uri, rules, hasPolicies });
    subjects.push({ socket: httpsSocket, path: route.match, access: route.uri, rules, hasPolicies });
  }
  return subjects;
}

/**
 * Starts HAProxy with the configuration rendered from the service's snapshot. Returns a function that ends it, and the folder of
 * its sockets.
 */
async function served(): Promise<{ sockets: string; stop: () => void }> {
  const own = mkdtempSync(join(folder, "r"));
  const sockets = mkdtempSync(join(folder, "s"));
  const snapshot = Object(await service.call("GET", "/snapshot"));
  const rendered = render(snapshot, {
    directory: own,
    sockets,
    certificateFor: (host) => (host === HOST ? serverCertificate(certificate.both, [HOST]) : undefined),
    resolve: () => undefined,
    isUpstreamAllowed: () => true,
    objectionTo: () => undefined,
    isWanted: () => true,
    ignoreTrafficPolicies: false,
    keySetOf: () => ({ keys: [] }),
    rejected: new Set(),
    haproxy: [2, 6],
  });
  assert.deepEqual(rendered.problems, []);
  for (const [path, content] of allFiles(rendered)) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), path === "haproxy.cfg" ? onSockets(content, sockets) : content);
  }
  const child = spawn("haproxy", ["-db", "-f", join(own, "haproxy.cfg")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const until = Date.now() + 5_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`HAProxy does not start: ${output}\n${readFileSync(join(own, "haproxy.cfg"), "utf8")}`);
    if (output.includes("Loading success") || (await isListening(join(sockets, `${ports}.sock`)))) break;
    await sleep(20);
  }
  return {
    sockets,
    stop: () => {
      child.kill("SIGKILL");
      children.delete(child);
    },
  };
}

/** Replaces the listeners in a configuration with unix sockets, named after the ports. */
function onSockets(configuration: string, sockets: string): string {
  const seen = new Set<string>();
  return configuration
    .split("\n")
    .flatMap((line) => {
      const [, port, rest = ""] = /^ +bind (?:\S+):(\d+)(.*)$/.exec(line) ?? [];
      if (port === undefined)
        // Rules on connections run before the PROXY header is read, and rules on sessions right after it.
        return [line.replace(/^( +tcp-request) connection /, "$1 session ")];
      if (seen.has(port)) return [];
      seen.add(port);
      return [`    bind unix@${join(sockets, `${port}.sock`)} accept-proxy${rest.replace(" v6only", "")}`];
    })
    .join("\n");
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

/** A PROXY protocol header, version 2, with a source (section 2.2 of its specification). */
function proxyHeader(ip: string): Buffer {
  const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
  const isV6 = ip.includes(":");
  const source = isV6 ? bytesOfV6(ip) : Buffer.from(ip.split(".").map(Number));
  const ports = Buffer.from([0x30, 0x39, 0x01, 0xbb]);
  const addresses = Buffer.concat([source, Buffer.alloc(source.length, 1), ports]);
  return Buffer.concat([signature, Buffer.from([0x21, isV6 ? 0x21 : 0x11, 0, addresses.length]), addresses]);
}

function bytesOfV6(ip: string): Buffer {
  const plain = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => "0");
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...first, ...zeros, ...last].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

/** True if HAProxy allows a source: the client then receives the backend's fixed response. */
function letsIn({ socket: name, path }: Subject, sockets: string, ip: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (socket: Socket): void => {
      socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        if (path === undefined && (text === "" || text.endsWith("\r\n\r\nin"))) resolve(text !== "");
        else if (/^HTTP\/1.1 200 /.test(text) && text.endsWith("\r\n\r\nin")) resolve(true);
        else if (path !== undefined && /^HTTP\/1.1 403 /.test(text)) resolve(false);
        else
          reject(new Error(`${ip} gets a strange answer at ${path ?? "a TCP edge"}: ${text.slice(0, 200)}`));
      });
    };
    const request = `GET ${path ?? "/"} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
    const plain = connect(join(sockets, name), () => {
      plain.write(proxyHeader(ip));
      if (path === undefined) {
        read(plain);
        plain.write(request);
        return;
      }
      const secure = connectTls({ socket: plain, servername: HOST, rejectUnauthorized: false }, () =>
        secure.write(request),
      );
      read(secure);
    });
    plain.on("error", (error) => (path === undefined ? plain.destroy() : reject(error)));
    plain.setTimeout(4_000, () => plain.destroy(new Error(`no answer for ${ip}`)));
  });
}

describe("an address", () => {
  before(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), "agr-"));
    const make = certificatesIn(folder);
    certificate = make.server(make.authority("authority-of-agreement"), [HOST]);
  });

  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("is allowed or rejected alike by the service, HAProxy and the naive definition", async () => {
    const counts = { asked: 0, allowed: 0 };
    await fc.assert(
      fc.asyncProperty(drawn, async ({ edges, ips }) => {
        const subjects = await givenSubjects(edges);
        const { sockets, stop } = await served();
        try {
          for (const subject of subjects) {
            // The first addresses of networks are included, because they find more errors than random ones.
            const asked = [
              ...new Set([...ips, ...subject.rules.map(({ cidr }) => cidr.split("/")[0] ?? "")]),
            ];
            await Promise.all(
              asked.map(async (ip) => {
                const expected = subject.hasPolicies && judged(subject.rules, ip).allowed;
                const [inTraffic, said] = await Promise.all([
                  letsIn(subject, sockets, ip),
                  service.call("GET", `${new URL(subject.access).pathname}/access?ip=${ip}`),
                ]);
                counts.asked += 1;
                if (expected) counts.allowed += 1;
                assert.equal(
                  inTraffic,
                  expected,
                  `HAProxy and ${ip}, ${subject.path}: ${JSON.stringify(subject.rules)}`,
                );
                assert.equal(Object(said).allowed, expected, `access and ${ip}`);
              }),
            );
          }
        } finally {
          stop();
        }
        for (const { access, path } of subjects)
          if (path === undefined) await service.call("DELETE", new URL(access).pathname);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    console.info(`      ${counts.asked} answers compared, of which ${counts.allowed} allow`);
    assert.ok(counts.allowed > counts.asked / 20 && counts.allowed < counts.asked * 0.95);
  });
});
