import { join } from "node:path";

/** The path of a file in a directory. @throws RangeError if the path leaves the directory */
export function within(directory: string, path: string): string {
  const steps = path.split("/");
  if (!steps.every((step) => /^[\w.-]+$/.test(step) && step !== "." && step !== ".."))
    throw new RangeError(`${JSON.stringify(path)} is not a path below ${directory}.`);
  return join(directory, path);
}
