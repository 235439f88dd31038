/** Contents of map files by path, with a key and its value on each line. */
export type Files = ReadonlyMap<string, string>;
/** The values of a map by key. */
export type Lines = ReadonlyMap<string, string>;

/** One map's lines before and after a step. */
export interface Step {
  path: string;
  from: Lines;
  to: Lines;
  /** The lines that are neither in `from` nor in `to`, because the step does not change them. */
  rest: string;
}

const CHUNK = 65_536;

/** How many characters two strings have in common at their beginning. Strings are compared in chunks, which is much faster. */
function commonStart(a: string, b: string): number {
  let start = 0;
  while (start + CHUNK <= a.length && a.slice(start, start + CHUNK) === b.slice(start, start + CHUNK))
    start += CHUNK;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  return start;
}

/** {@link commonStart} at their end. */
function commonEnd(a: string, b: string): number {
  const ends = (length: number) => (text: string) =>
    text.slice(text.length - length, text.length - length + CHUNK);
  let end = 0;
  while (end + CHUNK <= Math.min(a.length, b.length) && ends(end + CHUNK)(a) === ends(end + CHUNK)(b))
    end += CHUNK;
  while (
    end < a.length &&
    end < b.length &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  )
    end++;
  return end;
}

/**
 * The part in which two files differ, in whole lines, and the lines around it. Few lines of a large map change, and reading all of them
 * takes longer than changing them in HAProxy.
 */
export function differing(before: string, after: string): { from: Lines; to: Lines; rest: string } {
  const start = before.lastIndexOf("\n", commonStart(before, after) - 1) + 1;
  const end = commonEnd(before.slice(start), after.slice(start));
  // The first line end in the common part: the lines after it are whole in both files.
  const lineEnd = before.indexOf("\n", before.length - end);
  const tail = end === 0 || lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  return {
    from: linesOf(before.slice(start, before.length - tail)),
    to: linesOf(after.slice(start, after.length - tail)),
    rest: before.slice(0, start) + before.slice(before.length - tail),
  };
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
