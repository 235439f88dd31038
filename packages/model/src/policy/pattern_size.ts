/*
 * How large a pattern is for RE2, which writes out what is repeated: `[a-z]{1000}` is a thousand times `[a-z]`. Both the time to
 * compile a pattern and the time for each character of a text grow with this size.
 */

/** One item of a pattern. Escapes and classes are one item each. */
const ITEM = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\{(\d{1,4})(?:(,)(\d{0,4}))?\}|[\s\S]/g;

/** A group: the size of all its items, and of the last. */
interface Group {
  all: number;
  last: number;
}

/** The size of a pattern: at least the number of items that RE2 makes of it. */
export function sizeOf(pattern: string): number {
  let group: Group = { all: 0, last: 0 };
  const outer: Group[] = [];
  for (const [item, least, comma, most] of pattern.matchAll(ITEM)) {
    if (item === "(") {
      outer.push(group);
      group = { all: 2, last: 0 };
    } else if (item === ")") {
      const { all } = group;
      const around = outer.pop() ?? { all: 0, last: 0 };
      group = { all: around.all + all, last: all };
    } else if (least !== undefined) {
      // A range is written out as one optional item inside another.
      const copies = Math.max(Number(least), 1) + 2 * Math.max(Number(most ?? 0) - Number(least), 0);
      group = { all: group.all + group.last * (copies + (comma ? 1 : 0) - 1), last: group.last * copies };
    } else group = { all: group.all + 1, last: 1 };
  }
  return outer.reduce((sum, { all }) => sum + all, group.all);
}
