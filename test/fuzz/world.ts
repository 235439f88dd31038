import { given } from "../support/examples.ts";
import { documentedCollections } from "./document.ts";

/** Ids of objects that bodies may refer to, by prefix. */
export type World = Record<string, string[]>;

/** A world with two objects of each collection. */
export async function givenWorld(): Promise<World> {
  const world: World = {};
  for (const { prefix, path } of documentedCollections)
    world[prefix] = [(await given(path))["id"], (await given(path))["id"]];
  return world;
}

/** Chooses ids for `withIds`. Any id will do for objects managed elsewhere. */
export const chooseFrom =
  (world: World) =>
  (prefixes: string[], pick: number): string => {
    const ids = prefixes.flatMap((prefix) => world[prefix] ?? []);
    return ids[pick % ids.length] ?? `${prefixes[0]}1`;
  };
