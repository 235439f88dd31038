import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { allFiles } from "../../../../packages/agent/src/map_files.ts";
import { Proxy } from "../../../../packages/agent/src/proxy.ts";
import type { ServerCertificate } from "../../../../packages/agent/src/render/contract.ts";
import { render, type Rendered } from "../../../../packages/agent/src/render/render.ts";
import { changeBetween } from "../../../../packages/agent/src/running_change.ts";
import { State } from "../../../../packages/agent/src/state.ts";
import { drawn } from "../../support/random.ts";
import { certificate, folder, freePort, serverCertificate, settings, snapshot } from "../proxy.ts";
import { CELLS, codesOf, edited, first, RESPONSES, SHARED, snapshotOf } from "../transition_model.ts";

/*
 * While a running HAProxy moves through thousands of random versions, every response is one of the version before or after the change
 * that happens then.
 */

const TRANSITIONS = 5_000;
/** One of so many is a reload. */
const RELOADS = 200;

/** HAProxy without its log of connections. */
function quiet(directory: string): string {
  const file = join(directory, "quiet");
  writeFileSync(file, '#!/bin/sh\nexec haproxy "$@" >/dev/null\n', { mode: 0o755 });
  return file;
}

/** HAProxy with one version after the other, and the clients. */
class Transitions {
  readonly counts = { runtime: 0, reloads: 0 };
  readonly #draw = drawn();
  readonly #state: State;
  readonly #proxy: Proxy;
  readonly #ports: { https: number; tcp: number };
  readonly #certificate: ServerCertificate;
  readonly #shared = new SharedArrayBuffer(4 * Object.keys(SHARED).length);
  readonly #table = new SharedArrayBuffer((TRANSITIONS + 1) * CELLS.length);
  readonly #memory = new Int32Array(this.#shared);
  readonly #expected = new Uint8Array(this.#table);
  readonly #clients: Worker;
  #upstreams: number[] = [];
  #version = first;
  #release = 1;
  #now: Rendered | undefined;

  constructor(directory: string, certificate: string, ports: { https: number; tcp: number }) {
    this.#state = new State(directory);
    this.#proxy = new Proxy(quiet(directory), this.#state);
    this.#ports = ports;
    this.#certificate = serverCertificate(certificate, ["*.example.com"]);
    this.#clients = new Worker(join(import.meta.dirname, "..", "transition_clients.ts"), {
      workerData: { state: this.#shared, table: this.#table, ports, seed: this.#draw.below(2 ** 31) },
    });
  }

  async start(): Promise<void> {
    [this.#upstreams] = await once(this.#clients, "message");
    const rendered = this.#render(this.#release);
    assert.deepEqual(rendered.problems, []);
    this.#write(rendered);
    assert.ok(await this.#proxy.start(), this.#proxy.complaint());
    this.#expected.set(codesOf(this.#version));
    this.#clients.postMessage("start", []);
  }

  async next(n: number): Promise<void> {
    for (let edits = 1 + this.#draw.below(6); edits > 0; edits--)
      this.#version = edited(this.#version, this.#draw);
    if (n % RELOADS === 0) this.#version = { ...this.#version, header: n };
    this.#expected.set(codesOf(this.#version), n * CELLS.length);
    const rendered = this.#render(this.#release);
    const change = this.#now && changeBetween(this.#now, rendered);
    Atomics.store(this.#memory, SHARED.wanted, n);
    if (change) {
      await this.#proxy.change(this.#release, change.maps, change.certificates);
      const { old = [] } = (await this.#proxy.processes()) ?? {};
      await this.#proxy.oldWorkers.end(old, true);
      this.#proxy.deleteLater(this.#release, change.maps.unreferenced);
      this.#now = rendered;
      this.counts.runtime++;
    } else await this.#reload();
    Atomics.store(this.#memory, SHARED.applied, n);
  }

  /** Resolves to what the clients have counted. */
  async stop() {
    Atomics.store(this.#memory, SHARED.isOver, 1);
    const [result] = await once(this.#clients, "message");
    return result;
  }

  async close(): Promise<void> {
    await this.#clients.terminate();
    await this.#proxy.kill();
  }

  #render(release: number): Rendered {
    const directory = this.#state.release(release);
    const used = { directory, sockets: this.#state.sockets, ipv6: false };
    return render(
      snapshot(snapshotOf(this.#version, this.#ports, this.#upstreams)),
      settings({ ...used, certificateFor: () => this.#certificate }),
      this.#now?.arrangement,
    );
  }

  #write(rendered: Rendered): void {
    this.#state.writeRelease(this.#release, allFiles(rendered));
    this.#state.switchTo(this.#release);
    this.#now = rendered;
  }

  async #reload(): Promise<void> {
    const running = await this.#proxy.processes();
    assert.ok(running);
    this.#release++;
    this.#write(this.#render(this.#release));
    assert.ok(await this.#proxy.reload(running), this.#proxy.complaint());
    this.#state.prune([this.#release]);
    this.counts.reloads++;
    Atomics.add(this.#memory, SHARED.reloads, 1);
  }
}

test("while versions change thousands of times, each request is treated as in the version before or after", async (t) => {
  const { pem } = certificate(folder(t), ["*.example.com"]);
  const ports = { https: await freePort(), tcp: await freePort() };
  const transitions = new Transitions(folder(t), pem, ports);
  try {
    await transitions.start();
    for (let n = 1; n <= TRANSITIONS; n++) await transitions.next(n);
    const { wrong, requests, duringChanges, byResponse } = await transitions.stop();
    const { runtime, reloads } = transitions.counts;
    t.diagnostic(`${runtime} changes without a reload, ${reloads} with one`);
    t.diagnostic(`${requests} requests, ${duringChanges} during changes: ${JSON.stringify(byResponse)}`);
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} wrong`);
    assert.ok(reloads >= TRANSITIONS / RELOADS && reloads < 100, `${reloads}`);
    assert.ok(duringChanges > TRANSITIONS, `${duringChanges}`);
    assert.deepEqual(new Set(Object.keys(byResponse)), new Set(RESPONSES.slice(1)));
  } finally {
    await transitions.close();
  }
});
