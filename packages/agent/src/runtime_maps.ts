import { join } from "node:path";
import { type Lines, linesOf, type Step } from "./map_lines.ts";
import { Refusal } from "./refusal.ts";
import { rejected, type Worker } from "./worker.ts";

/** HAProxy 2.6 searches a list for each line that it deletes. With more deletions, the whole map is replaced at once. */
const MOST_DELETIONS = 20;

/**
 * Changes maps in the memory of a current worker, and looks up every changed line.
 *
 * @param directory of the release that the worker has loaded
 * @throws Refusal if the worker does not have the new lines
 */
export async function changeMaps(worker: Worker, directory: string, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return;
  const ids = await mapIds(worker);
  for (const step of steps) {
    const id = ids.get(join(directory, step.path));
    if (id === undefined) throw new Refusal(`HAProxy process ${worker.pid} has no map ${step.path}.`);
    await take(worker, id, step);
  }
}

/** Changes maps in an old worker. It can have loaded any release, so it can lack lines that are deleted. @param releases directory */
export async function changeOldMaps(worker: Worker, releases: string, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return;
  const within = `${releases}/`;
  const ids = new Map(
    [...(await mapIds(worker))]
      .filter(([path]) => path.startsWith(within))
      .map(([path, id]) => [path.slice(path.indexOf("/", within.length) + 1), id]),
  );
  for (const step of steps) {
    const id = ids.get(step.path);
    if (id !== undefined) await worker.run(commandsFor(id, step));
  }
}

/** The ids of a worker's maps, by the path of the file that it loaded each from. */
async function mapIds(worker: Worker): Promise<Map<string, string>> {
  const answer = await worker.run(["show map"]);
  return new Map(
    [...answer.matchAll(/^(-?\d+) \((\/[^)]*)\)/gm)].map(([, id = "", path = ""]) => [path, id]),
  );
}

/** Takes a step in a current worker. @throws Refusal if the worker does not have the new lines then */
async function take(worker: Worker, id: string, step: Step): Promise<void> {
  const { from, to, rest } = step;
  const deleted = [...from.keys()].filter((key) => !to.has(key));
  if (deleted.length > MOST_DELETIONS) return replace(worker, id, new Map([...linesOf(rest), ...to]));
  const said = await worker.run(commandsFor(id, step));
  if (said.trim() !== "") throw rejected(said);
  const keys = [...changedKeys(step)];
  const found = linesFound(await worker.run(keys.map((key) => `get map #${id} ${key}`)));
  if (found.length !== keys.length)
    throw new Refusal(`HAProxy looked up ${found.length} of ${keys.length} lines.`);
  for (const [index, key] of keys.entries()) {
    const line = found[index];
    // A lookup finds the longest key that the text begins with, so it can find a shorter one.
    const value = line?.key === key ? line.value : undefined;
    if (value !== to.get(key)) throw new Refusal(`HAProxy has another value for ${key}.`);
  }
}

/** Replaces all lines at once. @throws Refusal if HAProxy does not accept all of them */
async function replace(worker: Worker, id: string, to: Lines): Promise<void> {
  const prepared = await worker.run([`prepare map #${id}`]);
  const [, version] = /created: (\d+)/.exec(prepared) ?? [];
  if (version === undefined) throw new Refusal(`prepare map: ${prepared.trim()}`);
  await worker.run([...to].map(([key, value]) => `add map @${version} #${id} ${key} ${value}`));
  // A failed command does not stop the commands after it, so count the lines, and commit all of them or none.
  const shown = await worker.run([`show map @${version} #${id}`]);
  const count = shown.split("\n").filter((line) => line.startsWith("0x")).length;
  if (count !== to.size) {
    await worker.run([`clear map @${version} #${id}`]);
    throw new Refusal(`HAProxy accepted only ${count} of ${to.size} lines.`);
  }
  const said = (await worker.run([`commit map @${version} #${id}`])).trim();
  if (said !== "") throw new Refusal(`commit map: ${said}`);
}

function commandsFor(id: string, { from, to }: Step): string[] {
  const set = [...to]
    .filter(([key, value]) => from.get(key) !== value)
    .map(([key, value]) => `${from.has(key) ? "set" : "add"} map #${id} ${key} ${value}`);
  const deleted = [...from.keys()].filter((key) => !to.has(key)).map((key) => `del map #${id} ${key}`);
  return [...set, ...deleted];
}

function* changedKeys({ from, to }: Step): Iterable<string> {
  for (const [key, value] of to) if (from.get(key) !== value) yield key;
  for (const key of from.keys()) if (!to.has(key)) yield key;
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
