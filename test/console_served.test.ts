import type { components } from "edge-configuration-client";
import { expect, test } from "vitest";
import { servedBy, type ServedFacts, servedOf } from "../packages/console/src/facts/served.ts";

/*
 * The state of an edge on its machines, as the console shows it.
 */

type Serving = components["schemas"]["Serving"];
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

const down = (agent: string) => reason(agent, "port_refused");
const leftOut = (agent: string) => reason(agent, "not_wanted");
const older = (agent: string) => reason(agent, "serving_older");

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
  ["one cannot be told", facts(2, [reason("a", "unknown"), leftOut("b")]), "Not known"],
  ["one cannot be told, another does not", facts(2, [reason("a", "unknown"), down("b")]), "Not served"],
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
