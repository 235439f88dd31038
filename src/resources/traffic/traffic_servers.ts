import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { exampleId, idSchema } from "../../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { notFound } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { objectExists, serversOf } from "./traffic_statements.ts";

/*
 * The servers of a backend, as agents see them.
 */

const BackendServers = schema("BackendServers", () => ({
  description: "The servers of a static backend, as agents see them.",
  examples: [
    {
      backend_id: exampleId("static_backend"),
      servers: [{ agent: "lisbon-1", address: "10.0.0.1:8080", up: true, since: "2026-01-02T03:04:05Z" }],
    },
  ],
  type: z.strictObject({
    backend_id: z.string().describe("Id of the backend."),
    servers: z
      .array(
        z.strictObject({
          agent: z.string().describe("Name of the agent."),
          address: z.string().describe("Address and port of a server."),
          up: z
            .boolean()
            .describe(
              "Whether the agent's last health check, or the last connection of a client, reached it.",
            ),
          since: z.string().describe("Since when (RFC 3339)."),
        }),
      )
      .describe("The servers, by the names of agents. An agent that has not used a server does not list it."),
  }),
}));

export const trafficServers = endpoints().get(
  "/servers",
  operation({
    id: "TrafficServers",
    access: "viewer",
    summary: "Get the servers of a backend",
    description:
      "Returns the servers of a static backend, up or down, as agents reported them within the last five minutes.",
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        backend_id: idSchema("static_backend")
          .describe("Id of the backend.")
          .meta({ examples: [exampleId("static_backend")] }),
      }),
    ),
    status: 200,
    response: BackendServers,
    errors: ["ERR_NOT_FOUND"],
  }),
  async (c) => {
    const { backend_id: id } = c.req.valid("query");
    const statement = serversOf(id, clock.now());
    const [exists = [], found = []] = await c.get("request").session.batch([objectExists(id), statement]);
    if (exists.length === 0) throw notFound("static_backend");
    const servers = found
      .map(statement.decode)
      .flatMap(({ agent, servers: of }) =>
        of.map(({ address, up, since }) => ({ agent, address, up, since })),
      );
    return respond(
      c,
      200,
      JSON.stringify({ backend_id: id, servers } satisfies z.output<typeof BackendServers>),
    );
  },
);
