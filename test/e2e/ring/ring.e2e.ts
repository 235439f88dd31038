import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { savedTraffic } from "../../../packages/agent/src/traffic/saved.ts";
import { PLACES } from "../../../packages/model/src/traffic/counts.ts";
import { type World, world } from "../agent/agent.ts";
import { certificate, folder, httpsEdge } from "../agent/proxy.ts";
import { end } from "../support/children.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/wait.ts";

/*
 * What the log costs HAProxy, and whether it is complete at 5,000 requests a second. Not part of CI, because it needs a quiet machine: two
 * cores are busy with it for a minute and a half.
 */

const HOST = "a.example.com";
const REQUEST = `GET /plain?x=1 HTTP/1.1\r\nHost: ${HOST}\r\nUser-Agent: ring\r\n\r\n`;
const CONNECTIONS = 16;
const HOUR = 3_600_000;

/** An upstream that is as cheap as it can be: another HAProxy. */
async function upstream(t: TestContext): Promise<number> {
  const port = await freePort();
  const file = join(folder(t), "upstream.cfg");
  writeFileSync(
    file,
    `global
    maxconn 1000
defaults
    mode http
    timeout connect 5s
    timeout client 1h
    timeout server 1h
frontend upstream
    bind 127.0.0.1:${port}
    http-request return status 200 content-type text/plain string answer
`,
  );
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  t.after(() => end(child, "SIGKILL"));
  return port;
}

/** An agent with one route, and clients that have connected to it. */
async function served(t: TestContext, options: string[]) {
  const here = await world(t);
  here.service.ahead = HOUR / 2 - (Date.now() % HOUR);
  const port = await freePort();
  copyFileSync(certificate(folder(t), [HOST]).pem, join(here.certificates, "a.pem"));
  const backends = {
    bkdsc_up: { kind: "static", address: `127.0.0.1:${await upstream(t)}`, tls: false },
  } as const;
  here.start(options);
  const route = { id: "edghtsrt_plain", match_type: "path_prefix", match: "/plain" } as const;
  const routes = [{ ...route, backend: { backend_id: "bkdsc_up" } }];
  const edges = [httpsEdge("edghts_1", [`${HOST}:${port}`], routes)];
  await here.service.applied(here.service.publish({ backends, edges }));
  return { here, clients: await Clients.connect(port) };
}

/** Connections that send many requests, each before the response to the one before. */
class Clients {
  readonly #sockets: TLSSocket[];
  sent = 0;
  answered = 0;

  private constructor(sockets: TLSSocket[]) {
    this.#sockets = sockets;
    for (const socket of sockets)
      socket.setEncoding("latin1").on("data", (text: string) => {
        for (let at = text.indexOf("answer"); at >= 0; at = text.indexOf("answer", at + 6))
          this.answered += 1;
      });
  }

  static async connect(port: number): Promise<Clients> {
    const sockets = Array.from({ length: CONNECTIONS }, () =>
      connect({
        port,
        host: "127.0.0.1",
        servername: HOST,
        rejectUnauthorized: false,
        ALPNProtocols: ["http/1.1"],
      }),
    );
    await Promise.all(sockets.map((socket) => once(socket, "secureConnect")));
    return new Clients(sockets);
  }

  #send(count: number): void {
    for (const [index, socket] of this.#sockets.entries()) {
      const own = Math.floor((count + index) / CONNECTIONS);
      if (own > 0) socket.write(REQUEST.repeat(own));
      this.sent += own;
    }
  }

  /** Sends at a steady rate. */
  async atRate(rate: number, seconds: number): Promise<void> {
    const begin = performance.now();
    const before = this.sent;
    for (;;) {
      const passed = Math.min(seconds, (performance.now() - begin) / 1000);
      this.#send(Math.floor(passed * rate) - (this.sent - before));
      if (passed === seconds) return;
      await sleep(10);
    }
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Seconds of the processor that a process has used, in user and system mode (proc(5): in hundredths). */
function used(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function counted(here: World) {
  await here.end("SIGTERM");
  const { open } = savedTraffic.parse(JSON.parse(readFileSync(join(here.state, "traffic.json"), "utf8")));
  const hour = open.find(({ resolution }) => resolution === 3600);
  assert.ok(hour);
  return { requests: hour.objects["edghtsrt_plain"]?.[PLACES.requests], lost: hour.lost };
}

test("at 5,000 requests a second, none is lost, although the agent stands still for 15 seconds", async (t) => {
  const { here, clients } = await served(t, []);
  await clients.atRate(5_000, 2);
  here.agent?.kill("SIGSTOP");
  await clients.atRate(5_000, 15);
  await until("all are answered", () => clients.answered === clients.sent);
  here.agent?.kill("SIGCONT");
  await clients.atRate(5_000, 3);
  await until("all are answered", () => clients.answered === clients.sent);
  clients.end();
  const { requests, lost } = await counted(here);
  t.diagnostic(`${clients.sent} sent and answered, ${requests} counted, ${lost} lost`);
  assert.deepEqual([requests, lost], [clients.sent, 0]);
});

test("at 5,000 requests a second, the log costs HAProxy at most 8 % of a core", async (t) => {
  const [logged, silent] = [await served(t, []), await served(t, ["--traffic=off", "--access-log=off"])];
  const [ROUNDS, SECONDS, RATE] = [6, 4, 5_000];
  const costs = { logged: 0, silent: 0 };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, { here, clients }] of Object.entries({ logged, silent })) {
      const worker = await here.worker();
      const before = used(worker);
      await clients.atRate(RATE, SECONDS);
      await until("all are answered", () => clients.answered === clients.sent);
      // The first round warms up.
      if (round > 0) costs[name as keyof typeof costs] += used(worker) - before;
    }
  const share = (costs.logged - costs.silent) / (ROUNDS * SECONDS);
  const [with_, without] = [costs.logged, costs.silent].map(
    (cost) => (1e6 * cost) / (ROUNDS * SECONDS * RATE),
  );
  t.diagnostic(
    `${(100 * share).toFixed(1)} % of a core: ${with_?.toFixed(0)} µs for a request instead of ${without?.toFixed(0)} µs`,
  );
  assert.ok(share <= 0.08, String(share));
});
