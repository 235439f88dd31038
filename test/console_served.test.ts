import type { components } from "edge-configuration-client";
import { expect, test, vi } from "vitest";
import { type Served, servedBy, type ServedFacts, servedOf } from "../packages/console/src/facts/served.ts";
import { agentStatus } from "./support/agent_status.ts";

/*
 * The state of an edge on its machines, as the console shows it.
 */

type Agent = components["schemas"]["Agent"];
type Serving = components["schemas"]["Serving"];

interface Place {
  served: Served;
}

// These modules expect a browser, even if only types are used.
vi.stubGlobal("location", { origin: "http://localhost", hash: "" });
const modules = "../packages/console/src/facts/";
const { causesOf, standing } = (await import(`${modules}causes.ts`)) as {
  causesOf: (places: Place[]) => { machines: string[] }[];
  standing: (places: Place[], reporting: number) => string;
};
const { edgesOf, stateOfAgent } = (await import(`${modules}agents.ts`)) as {
  edgesOf: (agent: Agent) => { served: number; of: number } | undefined;
  stateOfAgent: (agent: Agent) => { text: string };
};
type Reason = Serving["not_serving"][number];

const EDGE = "edgtcp_1";
const TIME = Date.UTC(2026, 0, 2);
const edge = { id: EDGE, hostports: ["shop.example.com:443"] };

const reason = (agent: string | null, code: string): Reason => ({ agent, code, msg: `${code}.` });

/** The facts, if the reporting agents serve the edge except for these reasons. */
function facts(
  of: number,
  not_serving: Reason[],
  others: { partly?: Reason[]; silent?: number; behind?: Record<string, number> } = {},
): ServedFacts {
  const left_out = not_serving.filter(({ code }) => code === "not_wanted").length;
  const { partly = [], silent = 0, behind = {} } = others;
  const at: Serving = {
    object: { id: EDGE, uri: "" },
    hostports: ["shop.example.com:443"],
    agents: { serving: of - not_serving.length, of, left_out },
    not_serving,
    partly,
  };
  return {
    time: TIME,
    problems: new Map(),
    incomplete: new Map(not_serving.length + partly.length === 0 ? [] : [[EDGE, at]]),
    machines: {
      reporting: of,
      all: of + silent,
      behindSince: new Map(Object.entries(behind).map(([name, age]) => [name, TIME - age])),
    },
  };
}

const leavingOutPart = (known: ServedFacts): ServedFacts => ({
  ...known,
  problems: new Map([[EDGE, [{ object: EDGE, code: "partly", msg: "Left out.", effect: "partly" }]]]),
});

const down = (agent: string) => reason(agent, "port_refused");
const leftOut = (agent: string) => reason(agent, "not_wanted");
const older = (agent: string) => reason(agent, "serving_older");
const unknown = (agent: string) => reason(agent, "unknown");

test.each<[string, ServedFacts, string]>([
  ["all serve it", facts(2, []), "Served"],
  ["one does not", facts(3, [down("a")]), "Served on 2 of 3"],
  ["none does", facts(1, [down("a")]), "Not served"],
  ["others leave it out on purpose", facts(3, [leftOut("a"), leftOut("b")]), "Served"],
  [
    "one does not, others leave it out",
    facts(4, [down("a"), leftOut("b"), leftOut("c")]),
    "Served on 1 of 2",
  ],
  ["all leave it out", facts(2, [leftOut("a"), leftOut("b")]), "Not served"],
  ["all leave it out, and one is silent", facts(2, [leftOut("a"), leftOut("b")], { silent: 1 }), "Not known"],
  ["no machine reports", facts(0, [], { silent: 2 }), "Not known"],
  ["one is late", facts(2, [older("a")]), "Applying"],
  ["one is late, another leaves it out", facts(2, [older("a"), leftOut("b")]), "Applying"],
  [
    "one is late, and the service leaves something out",
    facts(1, [older("a")], { partly: [reason(null, "hostport_taken")] }),
    "Applying",
  ],
  ["one has been late for long", facts(2, [older("a")], { behind: { a: 61_000 } }), "Served on 1 of 2"],
  ["all have been late for long", facts(1, [older("a")], { behind: { a: 61_000 } }), "Older version"],
  [
    "the late one is the only one to serve it",
    facts(2, [older("a"), leftOut("b")], { behind: { a: 61_000 } }),
    "Older version",
  ],
  ["one is too far behind", facts(1, [reason("a", "far_behind")], { behind: { a: 61_000 } }), "Not known"],
  ["one is unknown", facts(2, [unknown("a"), leftOut("b")]), "Not known"],
  ["one is unknown, another serves it", facts(2, [unknown("a")]), "Not known on 1 of 2"],
  [
    "one is too far behind, others serve it",
    facts(3, [reason("a", "far_behind")], { behind: { a: 61_000 } }),
    "Not known on 1 of 3",
  ],
  ["one is unknown, another does not", facts(2, [unknown("a"), down("b")]), "Not served on 1 of 2"],
  ["one is unknown, one does not, one does", facts(3, [unknown("a"), down("b")]), "Not served on 1 of 3"],
  [
    "one is unknown, another serves a part",
    facts(2, [unknown("a")], { partly: [reason("b", "certificate_missing")] }),
    "Served in part",
  ],
  ["one is unknown, another is late", facts(2, [unknown("a"), older("b")]), "Applying"],
  [
    "one is unknown, another has been late for long",
    facts(2, [unknown("a"), older("b")], { behind: { b: 61_000 } }),
    "Older version",
  ],
  [
    "none reports, and the configuration leaves out a part",
    leavingOutPart(facts(0, [], { silent: 1 })),
    "Served in part at most",
  ],
  ["all report, and the configuration leaves out a part", leavingOutPart(facts(1, [])), "Served in part"],
  ["one serves a part", facts(2, [], { partly: [reason("a", "certificate_missing")] }), "Served in part"],
])("%s", (_, known, text) => {
  expect(servedOf(known, edge).text).toBe(text);
});

test("each machine has its own state", () => {
  const known = facts(4, [down("down"), leftOut("elsewhere")], {
    partly: [reason("part", "certificate_missing")],
  });
  const served = servedOf(known, edge);
  const at = known.incomplete.get(EDGE);
  const states = ["down", "elsewhere", "part", "fine"].map((name) => servedBy(name, served, at).text);
  expect(states).toEqual(["Not served", "Left out", "In part", "Served"]);
  expect(servedBy("down", served, at).why).toBe("port_refused.");
});

test("a machine beyond the listed machines is not shown as serving the edge", () => {
  const names = Array.from({ length: 25 }, (_, index) => `m-${index}`);
  const known = facts(26, names.map(down));
  const at = known.incomplete.get(EDGE);
  if (!at) throw new Error("nothing is known");
  at.not_serving = at.not_serving.slice(0, 20);
  expect(servedBy("m-24", servedOf(known, edge), at).text).toBe("Not known");
});

test("a machine with unknown edges is not listed as a cause, and never counts as applying a change", () => {
  const known = facts(3, [unknown("a"), down("b")]);
  const served = servedOf(known, edge);
  expect(served.reasons.map(({ machine }) => machine)).toEqual(["b"]);
  expect(causesOf([{ served }]).flatMap(({ machines }) => machines)).toEqual(["b"]);
  const at = known.incomplete.get(EDGE);
  expect(servedBy("a", served, at)).toEqual({ tone: "none", text: "Not known", why: "unknown." });
  const late = facts(2, [unknown("a"), older("b")]);
  const applying = servedOf(late, edge);
  const states = ["a", "b"].map((name) => servedBy(name, applying, late.incomplete.get(EDGE)).text);
  expect(states).toEqual(["Not known", "Applying"]);
});

test("machines that leave an edge out on purpose are the reason if no machine serves it", () => {
  const { reasons } = servedOf(facts(2, [leftOut("a"), leftOut("b")]), edge);
  expect(reasons.map(({ machine }) => machine)).toEqual(["a", "b"]);
});

const place = (known: ServedFacts): Place => ({ served: servedOf(known, edge) });
const SERVED = place(facts(1, []));
const APPLYING = place(facts(1, [reason("a", "behind")]));
const UNKNOWN = place(facts(1, [unknown("a")]));
const SILENT = place(facts(0, [], { silent: 1 }));
const DOWN = place(facts(1, [down("a")]));
const unsure = "configured, and it is not known whether all machines serve";

test.each<[Place[], number, string]>([
  [[SERVED], 1, "The only place is served"],
  [[SERVED, SERVED], 1, "All 2 places are served"],
  [[APPLYING], 1, "The only place is being applied"],
  [[APPLYING, APPLYING], 1, "All 2 places are being applied"],
  [[SERVED, APPLYING, SERVED], 1, "2 of 3 places are served, 1 is being applied"],
  [[SERVED, UNKNOWN], 1, "1 of 2 places is served, and for 1 it is not known"],
  [[APPLYING, UNKNOWN], 1, "1 of 2 places is being applied, and for 1 it is not known"],
  [[UNKNOWN, SERVED, APPLYING], 1, "1 of 3 places is served, 1 is being applied, and for 1 it is not known"],
  [[UNKNOWN], 1, `1 place is ${unsure} it`],
  [[UNKNOWN, UNKNOWN], 1, `2 places are ${unsure} them`],
  [[SILENT], 0, "1 place is configured, and no machine reports"],
  [[SILENT, SILENT], 0, "2 places are configured, and no machine reports"],
  [[DOWN, APPLYING, UNKNOWN], 1, "1 of 3 places is not served as configured"],
  [[DOWN, DOWN, SERVED], 1, "2 of 3 places are not served as configured"],
])("how things stand: %#", (places, reporting, sentence) => {
  expect(standing(places, reporting)).toBe(sentence);
});

const all = { served: 2, partly: 0, not_served: 0, not_wanted: 0 };
const failing = { ok: false, error: "HAProxy is not running." };

test.each<[string, Partial<Agent>, string, string]>([
  ["serves everything", {}, "Serves everything", "2 of 2"],
  ["serves nothing on purpose", { edges: { ...all, served: 0 } }, "Nothing to serve", "0 of 0"],
  ["lacks an edge", { edges: { ...all, partly: 1, not_served: 1 } }, "1 edge missing", "3 of 4"],
  ["serves a part", { edges: { ...all, partly: 1 } }, "1 edge in part", "3 of 3"],
  ["does not report edges", { edges: null }, "Edges unknown", ""],
  ["has no version yet", { applied_version: null, behind: 5 }, "Serves nothing", ""],
  ["is newer than the service", { applied_version: 6 }, "Edges unknown", ""],
  [
    "is newer, and lacks an edge",
    { applied_version: 6, edges: { ...all, not_served: 1 } },
    "Edges unknown",
    "",
  ],
  ["is behind", { applied_version: 4, behind: 1 }, "1 change behind", "2 of 2"],
  ["fails", failing, "Has an error", ""],
  ["fails without a proxy", { ...failing, applied_version: 4, behind: 1, proxy: null }, "Has an error", ""],
  ["rejects a change", { ...failing, applied_version: 4, behind: 1 }, "Has an error", "2 of 2"],
])("a machine that %s", (_, report, text, edges) => {
  const agent: Agent = {
    ...agentStatus,
    name: "a",
    last_seen: new Date().toISOString(),
    edges: all,
    ...report,
  };
  const numbers = edgesOf(agent);
  expect(stateOfAgent(agent).text).toBe(text);
  expect(numbers ? `${numbers.served} of ${numbers.of}` : "").toBe(edges);
});
