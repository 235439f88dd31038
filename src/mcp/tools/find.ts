import * as z from "zod";
import { Room } from "../shared/cut.ts";
import { edgeId, FINDABLE, id, limit, more, object, USUAL_LIMIT } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

/** A page of a list. Its only member that is a list has the objects. */
type Page = Record<string, { id: string }[] | string | null>;

const isList = (member: Page[string]): member is { id: string }[] => Array.isArray(member);

/** Lists the objects of a kind. */
export const find = tool({
  name: "find",
  title: "Find objects",
  description:
    "Lists objects of a kind, newest first. At most one filter: hostport, ip_policy_id, backend_id or metadata, if the kind has it. Routes need edge_id.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    kind: z.enum(FINDABLE),
    edge_id: edgeId(),
    hostport: z.string().max(300).describe("host:port").exactOptional(),
    ip_policy_id: id().exactOptional(),
    backend_id: id().exactOptional(),
    metadata: z.string().max(4_096).exactOptional(),
    before_id: id().describe("next_before_id of the page before").exactOptional(),
    limit: limit(),
  }),
  output: z.strictObject({
    objects: z.array(object()),
    next_before_id: z.string().nullable(),
    more: more(),
  }),
  run: async ({ kind, edge_id, limit: most = USUAL_LIMIT, ...query }, api) => {
    const path = api.collectionOf(kind, edge_id);
    const { body } = await api.ask<Page>({ path, query: { ...query, limit: most } });
    const all = Object.values(body).find(isList) ?? [];
    const { items, isCut } = new Room().list(all);
    const isLast = items.length === all.length && body["next_page_uri"] === null;
    return { objects: items, next_before_id: isLast ? null : (items.at(-1)?.["id"] ?? null), more: isCut };
  },
});
