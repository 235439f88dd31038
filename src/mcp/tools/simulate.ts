import * as z from "zod";
import type { SimulationResult } from "../../resources/traffic/simulations.ts";
import { Room } from "../shared/cut.ts";
import { more, object, open } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

type Simulation = z.output<typeof SimulationResult>;

function endOf(outcome: Simulation["outcome"]): string {
  switch (outcome.kind) {
    case "response":
      return `the proxy itself responds with ${outcome.status_code} (${outcome.by})`;
    case "upstream":
      return `it reaches backend ${outcome.backend.id}${outcome.response ? `, and the client gets ${outcome.response.status_code}` : ""}`;
    case "closed":
      return `the connection is closed (${outcome.by})`;
    case "not_served":
      return `it is not served: ${outcome.problems.map(({ msg }) => msg).join(" ") || "the edge or the route is not served"}`;
  }
}

const headers = () => z.array(z.array(z.string()).length(2)).max(100).describe("[name, value] pairs");

/** Simulates one request. */
export const simulate = tool({
  name: "simulate",
  title: "Simulate a request",
  description:
    "Returns what happens to one request, step by step, without sending it. with tries traffic policies that are not stored, by the id of the edge or route.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    request: z.strictObject({
      method: z.string().exactOptional(),
      url: z.string().describe("https://host/path, or tcp://host:port or tls://host:port"),
      headers: headers().exactOptional(),
      source_ip: z.string(),
      source_port: z.number().exactOptional(),
      tls: z
        .strictObject({
          version: z.enum(["1.0", "1.1", "1.2", "1.3"]).exactOptional(),
          client_common_name: z.string().exactOptional(),
        })
        .exactOptional(),
    }),
    response: z
      .strictObject({ status_code: z.number().exactOptional(), headers: headers().exactOptional() })
      .describe("of the upstream")
      .exactOptional(),
    at: z.string().describe("RFC 3339").exactOptional(),
    counts: z
      .record(z.string(), z.number())
      .describe("Requests that each rate limit has let through")
      .exactOptional(),
    jwt_signatures: z.enum(["valid", "invalid"]).exactOptional(),
    with: z
      .record(z.string(), z.strictObject({ enabled: z.boolean().exactOptional(), value: z.string() }))
      .exactOptional(),
  }),
  output: z.strictObject({
    sentence: z.string(),
    hostport: z.string(),
    edge: object(),
    route: object().nullable(),
    outcome: open(),
    steps: z.array(open()),
    assumptions: z.array(z.string()),
    more: more(),
  }),
  run: async (given, api) => {
    const { body } = await api.ask<Simulation>({ method: "POST", path: "/simulations", body: given });
    const { hostport, edge, route, assumptions } = body;
    const place = `${edge.id}${route ? `, route ${route.id}` : ""}`;
    const room = new Room();
    const outcome = room.one(body.outcome);
    const steps = room.list(body.steps);
    return {
      sentence: room.text(`${hostport} is ${place}: ${endOf(body.outcome)}.`),
      hostport,
      edge,
      route,
      outcome: outcome.item,
      steps: steps.items,
      assumptions: assumptions.slice(0, 20),
      more: outcome.isCut || steps.isCut,
    };
  },
});
