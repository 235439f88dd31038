import { join } from "node:path";
import type { MapLine } from "./map_files.ts";
import type { MapSteps } from "./map_steps.ts";
import { Refusal } from "./refusal.ts";
import { ENDED, type Ending } from "./render/layout.ts";
import type { Worker } from "./worker.ts";

/**
 * Changes maps in the memory of a current worker, and looks up every changed line.
 *
 * @param directory of the release that the worker has loaded
 * @throws Refusal if the worker does not have the new lines
 */
export async function changeMaps(worker: Worker, directory: string, steps: MapSteps): Promise<void> {
  const { added, set, deleted } = steps;
  if (added.length + set.length + deleted.length === 0) return;
  const idOf = await mapsIn(worker, directory);
  await change(worker, idOf, "add", added);
  await change(worker, idOf, "set", set);
  await change(worker, idOf, "del", deleted);
  const wanted = [...added, ...set, ...deleted.map((line) => ({ ...line, value: undefined }))];
  const found = linesFound(await worker.run(wanted.map(({ map, key }) => `get map #${idOf(map)} ${key}`)));
  if (found.length !== wanted.length)
    throw new Refusal(`HAProxy looked up ${found.length} of ${wanted.length} lines.`);
  for (const [index, { key, value }] of wanted.entries()) {
    const line = found[index];
    // A lookup finds the longest key that the text begins with, so it can find a shorter one.
    if ((line?.key === key ? line.value : undefined) !== value)
      throw new Refusal(`HAProxy has another value for ${key}.`);
  }
}

/** Deletes lines to which no line leads any more. */
export async function deleteUnreferenced(worker: Worker, directory: string, lines: MapLine[]): Promise<void> {
  await change(worker, await mapsIn(worker, directory), "del", lines);
}

/** The response to commands that change maps. */
const NOTHING = /^\s*$/;

/** @throws Refusal if the worker rejects a command */
async function change(
  worker: Worker,
  idOf: (map: string) => string,
  verb: "add" | "set" | "del",
  lines: MapSteps["set"],
): Promise<void> {
  const commands = lines.map(({ map, key, value, isNew }) => {
    const line = `map #${idOf(map)} ${key}`;
    return verb === "del" ? `del ${line}` : `${isNew ? "add" : verb} ${line} ${value}`;
  });
  await worker.run(commands, NOTHING);
}

/** The ids of a worker's maps, by path. @throws Refusal if there is no such map */
async function mapsIn(worker: Worker, directory: string): Promise<(map: string) => string> {
  const ids = await mapIds(worker);
  return (map) => {
    const id = ids.get(join(directory, map));
    if (id === undefined) throw new Refusal(`HAProxy process ${worker.pid} has no map ${map}.`);
    return id;
  };
}

/**
 * Has an old worker answer 421 to further requests on the connections that it still has.
 *
 * @param releases directory
 * @throws Refusal if the worker rejects a command
 */
export async function endRequests(worker: Worker, releases: string, ending: Ending): Promise<void> {
  for (const [path, id] of await mapIds(worker)) {
    if (!path.startsWith(`${releases}/`) || !path.endsWith(`/${ENDED}`)) continue;
    await worker.run([`add map #${id} ${ending} 1`], NOTHING);
  }
}

/** The ids of a worker's maps, by the path of the file that it loaded each from. */
async function mapIds(worker: Worker): Promise<Map<string, string>> {
  const answer = await worker.run(["show map"], /^# id/);
  return new Map(
    [...answer.matchAll(/^(-?\d+) \((\/[^)]*)\)/gm)].map(([, id = "", path = ""]) => [path, id]),
  );
}

/** Parses the responses to `get map`. */
const linesFound = (answer: string): { key?: string; value?: string }[] =>
  answer
    .split("\n")
    .filter((line) => line.startsWith("type="))
    .map((line) => {
      const [, key, value] = /\bkey="([^"]*)", value="([^"]*)"/.exec(line) ?? [];
      return key === undefined || value === undefined ? {} : { key, value };
    });
