import type fc from "fast-check";
import { bodyAt, deref, documentedCollections, filled, nestedCollections } from "../fuzz/document.ts";
import { fitting, validBody, withIds } from "../fuzz/values.ts";
import { chooseFrom, type World } from "../fuzz/world.ts";
import { given } from "../support/examples.ts";
import type { Json } from "../support/json.ts";

/*
 * The requests that each collection accepts, as fast-check arbitraries drawn from the document.
 */

export interface Collection {
  path: string;
  /** Where to create the next object: for routes, in a new edge, so that no two routes have the same match. */
  place: () => Promise<string>;
  list: string;
  /** Bodies that POST accepts. */
  createBody: fc.Arbitrary<Json>;
  /** Bodies that PATCH accepts. */
  patchBody: fc.Arbitrary<Json>;
  /** Fields that PATCH rejects. */
  fixed: string[];
}

const membersOf = (body: Json): string[] => Object.keys(deref(body)["properties"]);

/** Whether a TLS edge accepts this depends on its stored modules, which no law here knows. */
const isUpstream = ({ tls_termination }: Json): boolean => tls_termination?.terminate_at === "upstream";

/** Every collection, and routes, with bodies that refer to objects of `world`. */
export const collections = (world: World): Collection[] => [
  ...documentedCollections.map((collection) => withBodies(world, collection, async () => collection.path)),
  ...nestedCollections.map((collection) =>
    withBodies(world, collection, async () => filled(collection.path, [(await given("/edges/https"))["id"]])),
  ),
];

function withBodies(
  world: World,
  { path, list }: { path: string; list: string },
  place: () => Promise<string>,
): Collection {
  const [create, update] = [bodyAt("POST", path), bodyAt("PATCH", `${path}/{id}`)];
  const bodies = (schema: Json) =>
    validBody(schema)
      .filter((body) => !isUpstream(body))
      .map((body) => withIds(body, chooseFrom(world)))
      .map((body) => (path.includes("{") ? fitting(body) : body));
  const changeable = new Set(membersOf(update));
  const fixed = membersOf(create).filter((name) => !changeable.has(name));
  return { path, place, list, createBody: bodies(create), patchBody: bodies(update), fixed };
}
