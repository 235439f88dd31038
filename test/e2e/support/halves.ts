// Runs test files in two processes at the same time, each with half of the files: `node halves.ts [options of node --test] FILES`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";

/*
 * The files of a process share what is expensive to start, so they run one after the other. While one process waits for a page, the other
 * one computes.
 */

const given = process.argv.slice(2);
const isOption = (text: string): boolean => text.startsWith("--");

/** Splits files into two halves of about the same size, because large files usually have more tests. */
function halvesOf(files: string[]): string[][] {
  const halves = [1, 2].map(() => ({ size: 0, files: [] as string[] }));
  const sized = files.map((file) => ({ file, size: statSync(file).size }));
  for (const { file, size } of sized.toSorted((a, b) => b.size - a.size)) {
    const smaller = halves.reduce((a, b) => (b.size < a.size ? b : a));
    smaller.files.push(file);
    smaller.size += size;
  }
  return halves.map((half) => half.files.toSorted());
}

/** Runs the tests in some files, and returns true if all pass. Prints their output only at the end, so that the halves do not mix. */
async function passes(files: string[]): Promise<boolean> {
  const options = ["--test", "--test-force-exit", "--test-isolation=none", ...given.filter(isOption)];
  const child = spawn(process.execPath, [...options, ...files], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const stop = (): unknown => child.kill("SIGTERM");
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const [code] = (await once(child, "close")) as [number | null];
  process.stdout.write(output);
  return code === 0;
}

const files = given.filter((text) => !isOption(text)).flatMap((pattern) => globSync(pattern));
const passed = await Promise.all(halvesOf(files).map(passes));
process.exitCode = passed.every(Boolean) ? 0 : 1;
