import type fc from "fast-check";
import { bodyAt, deref, documentedCollections } from "../fuzz/document.ts";
import { validBody, withIds } from "../fuzz/values.ts";
import { chooseFrom, type World } from "../fuzz/world.ts";
import type { Json } from "../json.ts";

/*
 * What each collection takes, as fast-check arbitraries drawn from the document.
 */

export interface Collection {
  path: string;
  list: string;
  /** Bodies that POST accepts. */
  createBody: fc.Arbitrary<Json>;
  /** Bodies that PATCH accepts. */
  patchBody: fc.Arbitrary<Json>;
  /** Members that PATCH refuses. */
  fixed: string[];
}

const membersOf = (body: Json): string[] => Object.keys(deref(body)["properties"]);

/** Whether a TLS edge takes this depends on what it has, which no law here knows. */
const isUpstream = ({ tls_termination }: Json): boolean => tls_termination?.terminate_at === "upstream";

/** Every collection, with bodies that refer to objects of `world`. */
export const collections = (world: World): Collection[] =>
  documentedCollections.map(({ path, list }) => {
    const [create, update] = [bodyAt("POST", path), bodyAt("PATCH", `${path}/{id}`)];
    const bodies = (schema: Json) =>
      validBody(schema)
        .filter((body) => !isUpstream(body))
        .map((body) => withIds(body, chooseFrom(world)));
    const changeable = new Set(membersOf(update));
    const fixed = membersOf(create).filter((name) => !changeable.has(name));
    return { path, list, createBody: bodies(create), patchBody: bodies(update), fixed };
  });
