import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Clocks } from "../agent/clocks.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/wait.ts";
import { startUpstream } from "./upstreams.ts";
import { startWorld } from "./world.ts";

/*
 * What a real agent counts, as the real service shows it.
 */

const MINUTE = 60_000;
/** An agent looks each ten seconds at what was counted. */
const LEFT = 15_000;

test(
  "what an agent counts is shown once its minute is over, with a service that does not say what time it is",
  { timeout: 180_000 },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), "edge-clocks-"));
    const environment: Record<string, string> = {};
    const clocks = new Clocks({ directory, environment });
    // The service accepts a minute that is not over by its clock, so the test does not wait for that.
    clocks.jump(MINUTE - (Date.now() % MINUTE) - LEFT);
    const world = await startWorld({ env: environment });
    t.after(async () => {
      await world.stop();
      rmSync(directory, { recursive: true, force: true });
    });
    const { given, service } = world;
    assert.equal((await fetch(service.origin)).headers.get("Date"), null);
    const { address } = await startUpstream("counted");
    const backend = { backend_id: (await given.staticBackend(address)).id };
    world.certificateFor("counted.example.com");
    const port = await freePort();
    const { id } = await given.httpsEdge({ hostports: [`counted.example.com:${port}`] });
    const route = Object(
      await service.call("POST", `/edges/https/${id}/routes`, {
        match: "/",
        match_type: "path_prefix",
        backend,
      }),
    );
    await world.applied();
    for (let times = 0; times < 3; times++)
      assert.equal((await world.get(`https://counted.example.com:${port}/?secret=1`)).status, 200);
    const counted = await until(
      "the requests are reported",
      async () => {
        const { series, totals } = Object(
          await service.call("GET", `/traffic?edge_id=${id}&route_id=${route.id}`),
        );
        return series.length > 0 && totals.requests >= 3 ? totals : undefined;
      },
      120,
    );
    assert.deepEqual([counted.requests, counted.status["2xx"], counted.agents, counted.lost], [3, 3, 1, 0]);
    const { servers } = Object(
      await service.call("GET", `/traffic/servers?backend_id=${backend.backend_id}`),
    );
    assert.deepEqual(
      servers.map(({ address: seen, up }: { address: string; up: boolean }) => [seen, up]),
      [[address, true]],
    );
  },
);
