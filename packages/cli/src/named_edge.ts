import { didYouMean } from "../../model/src/suggestion.ts";
import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import type { ServiceAccess } from "./service.ts";

/*
 * Edges as operands: by their id, or by their name in a file.
 */

/** The ids file of the file given by --file. */
export function idsOf({ url }: ServiceAccess, call: Call): Ids | undefined {
  const file = call.text("file");
  if (file === undefined) return undefined;
  const ids = new Ids(file, call.has("follow-symlinks"));
  ids.requireService(url);
  return ids;
}

const EDGE_ID = /^edg(?:tcp|tls|hts)_/;

/** The id of a name in a file, which can be an id itself, or of a route of a named edge. */
export function idOf(ids: Ids, { url }: ServiceAccess, edge: string): string {
  const [name = "", route] = edge.split("/");
  const known = ids.of(url);
  const id = known.get(name) ?? (EDGE_ID.test(name) ? name : undefined);
  if (id === undefined) {
    const edges = [...known].flatMap(([other, its]) => (EDGE_ID.test(its) ? [other] : []));
    throw new UserError(
      `${ids.name} has no id for ${JSON.stringify(name)} on ${url}.${didYouMean(name, edges) || ` Its edges are ${edges.join(", ") || "none"}.`}`,
    );
  }
  return route === undefined ? id : `${id}/${route}`;
}
