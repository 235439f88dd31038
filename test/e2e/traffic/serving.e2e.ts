import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { startUpstream } from "./upstreams.ts";
import { startWorld, type World } from "./world.ts";

/*
 * Which edges the service says that machines serve, with real agents: one serves everything that it can, the other one hostport only.
 */

interface Serving {
  object: { id: string };
  agents: { serving: number; of: number };
  not_serving: { agent: string | null; code: string }[];
  partly: { agent: string | null; code: string }[];
}

let world: World;
let port: number;
before(async () => {
  world = await startWorld();
  port = await freePort();
});
after(() => world.stop());

/** What is said of an edge: how many agents serve it, and each agent that does not or only in part, with the code. */
async function saidOf(id: string): Promise<string> {
  const list = Object(await world.service.call("GET", `/serving?object_id=${id}`)) as { serving: Serving[] };
  const [found] = list.serving;
  if (!found) return "not listed";
  const { agents, not_serving, partly } = found;
  const reasons = (some: Serving["partly"]): string =>
    some.map(({ agent, code }) => `${agent ?? "all"} ${code}`).join(", ");
  return `${agents.serving} of ${agents.of}; ${reasons(not_serving)}; ${reasons(partly)}`;
}

test("an edge is served by the machines that have its certificate, its port and its upstream", async () => {
  const { given, service } = world;
  const backend = { backend_id: (await given.staticBackend((await startUpstream("plain")).address)).id };
  const gone = { backend_id: (await given.staticBackend("nowhere.invalid:80")).id };
  world.certificateFor("named.example.com");
  const edge = async (host: string, ...routes: object[]): Promise<string> => {
    const { id } = await given.httpsEdge({ hostports: [`${host}:${port}`] });
    for (const route of routes) await service.call("POST", `/edges/https/${id}/routes`, route);
    return id;
  };
  const at = (match: string, to: object) => ({ match_type: "path_prefix", match, backend: to });
  const named = await edge("named.example.com", at("/", backend));
  // On the same machine, so the port is taken.
  await world.applied();
  await world.anotherAgent({ name: "edge-2", more: ["--only", `named.example.com:${port}`] });
  const nameless = await edge("nameless.example.com", at("/", backend));
  const half = await given.httpsEdge({
    hostports: [`half.named.example.com:${port}`, `nameless.example.org:${port}`],
  });
  const [low, taken] = [await freePort(), await freePort()];
  const tcp = async (hostports: string[], to: { backend_id: string } | undefined): Promise<string> =>
    (await given.tcpEdge({ hostports, ...(to && { backend: to }) })).id;
  const both = await tcp([`127.0.0.1:${low}`, `127.0.0.1:81`], backend);
  const lost = await tcp([`127.0.0.1:${taken}`], gone);
  const none = await tcp(["127.0.0.1:4999"], undefined);
  world.certificateFor("half.named.example.com");
  const expected = new Map([
    [named, "1 of 2; edge-2 port_taken; "],
    [nameless, "0 of 2; edge-1 certificate_missing, edge-2 not_wanted; "],
    [half.id, "1 of 2; edge-2 not_wanted; edge-1 certificate_missing"],
    [both, "1 of 2; edge-2 not_wanted; edge-1 port_refused"],
    [lost, "0 of 2; edge-1 upstream_unresolved, edge-2 not_wanted; "],
    [none, "0 of 2; all backend_not_set; "],
  ]);
  await eventually(async () => {
    const said = new Map<string, string>();
    for (const id of expected.keys()) said.set(id, await saidOf(id));
    assert.deepEqual(said, expected);
  }, 20_000);

  // A certificate that comes later changes it, without a change of the configuration.
  world.certificateFor("nameless.example.com");
  await eventually(async () => assert.equal(await saidOf(nameless), "1 of 2; edge-2 not_wanted; "), 20_000);
});
