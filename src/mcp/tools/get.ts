import * as z from "zod";
import type { Kind } from "../../../packages/model/src/kinds.ts";
import type { Api } from "../shared/api.ts";
import { Room } from "../shared/cut.ts";
import { edgeId, FINDABLE, id, more, object, open } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

/** The kinds of objects of which viewers see the users. */
const USED = new Set<Kind>([
  "ip_policy",
  "static_backend",
  "http_response_backend",
  "weighted_backend",
  "failover_backend",
  "certificate_authority",
  "event_destination",
]);
/** A page of a list. The field `Name` has the list. */
type Page<Name extends string> = Record<Name, object[]> & { next_page_uri: string | null };

/** The kinds of objects whose traffic agents count. */
const COUNTED = new Set<Kind>(["tcp_edge", "tls_edge", "https_edge", "https_edge_route"]);

/** The traffic of an edge or a route in the last hour; null if nothing is known of it. */
async function trafficOf(api: Api, kind: Kind, id: string, edge_id = ""): Promise<object | null> {
  const place = kind === "https_edge_route" ? { edge_id, route_id: id } : { edge_id: id };
  const { body } = await api.ask<Traffic>({ path: "/traffic", query: { ...place, resolution: 60 } });
  const { series, totals, agents_left_out } = body;
  return series.length === 0 ? null : { ...totals, agents_left_out };
}
interface Traffic {
  series: object[];
  totals: object;
  agents_left_out: number;
}

const USERS = 20;
const RULES = 200;

/** Reads one object, who uses it, and the rules of a policy. */
export const get = tool({
  name: "get",
  title: "Get an object",
  description: `Returns an object, its etag, up to ${USERS} objects that use it and, with with_rules, the first ${RULES} rules of an IP policy. Of an edge or a route, also its traffic in the last hour. Routes need edge_id. Also finds plans.`,
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    id: id(),
    edge_id: edgeId(),
    with_rules: z.boolean().exactOptional(),
  }),
  output: z.strictObject({
    object: object(),
    etag: z.string().nullable(),
    used_by: z.array(object()).nullable().describe("null if nothing can use it"),
    rules: z.array(object()).nullable().describe("null unless asked for"),
    traffic: open().nullable(),
    more: more(),
  }),
  run: async ({ id, edge_id, with_rules = false }, api) => {
    const { path, kind } = api.objectAt(id, [...FINDABLE, "plan"], edge_id);
    const { etag, body } = await api.ask<object>({ path });
    const room = new Room();
    const shown = room.one(body);
    const users = USED.has(kind)
      ? (await api.ask<Page<"used_by">>({ path: `${path}/used_by`, query: { limit: USERS } })).body
      : undefined;
    const rules =
      with_rules && kind === "ip_policy"
        ? (await api.ask<Page<"rules">>({ path: `${path}/rules`, query: { limit: RULES } })).body
        : undefined;
    const traffic = COUNTED.has(kind) ? await trafficOf(api, kind, id, edge_id) : null;
    const [usedBy, listed] = [room.list(users?.used_by ?? []), room.list(rules?.rules ?? [])];
    const isLonger = [users, rules].some((page) => page !== undefined && page.next_page_uri !== null);
    return {
      object: shown.item,
      etag,
      used_by: users ? usedBy.items : null,
      rules: rules ? listed.items : null,
      traffic,
      more: isLonger || shown.isCut || usedBy.isCut || listed.isCut,
    };
  },
});
