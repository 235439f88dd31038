/** Contents of map files by path, with a key and its value on each line. */
export type Files = ReadonlyMap<string, string>;
/** The values of a map by key. */
export type Lines = ReadonlyMap<string, string>;

/** One map's lines before and after a step. */
export interface Step {
  path: string;
  from: Lines;
  to: Lines;
}

/** The lines of a map file. */
export const linesOf = (content: string): Lines =>
  new Map(
    content
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const space = line.indexOf(" ");
        return [line.slice(0, space), line.slice(space + 1)];
      }),
  );
