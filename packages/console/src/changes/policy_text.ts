/*
 * Edits of the text of a traffic policy.
 */

/** The names in a message such as `Unknown action "deyn"; did you mean "deny"?`; undefined if it suggests none. */
export function suggestionIn(msg: string): { wrong: string; right: string } | undefined {
  const [, wrong, right] = /"([^"]+)"; did you mean "([^"]+)"\?/.exec(msg) ?? [];
  return wrong === undefined || right === undefined ? undefined : { wrong, right };
}

/**
 * The index of a name in a line: the one at a column, from 1, or the only one. Undefined if it is not clear which one is meant, as the column
 * of a member is that of its value.
 */
export function indexOfName(line: string, name: string, column: number): number | undefined {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = Array.from(
    line.matchAll(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "g")),
    ({ index }) => index,
  );
  if (found.includes(column - 1)) return column - 1;
  return found.length === 1 ? found[0] : undefined;
}

const isBlank = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);
const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

/** Whether a text is written in JSON. */
export const isJson = (text: string): boolean => text.trimStart().startsWith("{");

/**
 * A text in YAML with another rule, below the rule that a position is in.
 *
 * @param at the position, an index in the text
 * @param phase the list that gets the rule if the position is in none
 * @param rule its lines, indented by two
 * @returns the new text, and the index of the end of the rule
 */
export function withRule(
  text: string,
  at: number,
  phase: string,
  rule: string,
): { text: string; end: number } {
  const lines = text.split("\n");
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  const current = Math.min(text.slice(0, at).split("\n").length, lines.length) - 1;
  const start = lines.findLastIndex((line, index) => index <= current && /^[\w"']+:/.test(line));
  const isPhase = /^["']?on_\w+["']?:\s*(?:#.*)?$/.test(lines[start] ?? "");
  if (!isPhase) lines.push(`${phase}:`);
  const begin = isPhase ? start : lines.length - 1;
  const first = lines.find((line, index) => index > begin && !isBlank(line)) ?? "";
  const indent = /^ *- /.test(first) ? indentOf(first) : 2;
  // The rule ends before the next item, or before what is less indented.
  let next = (isPhase ? Math.max(current, begin) : begin) + 1;
  while (next < lines.length && !endsRule(lines[next] ?? "", indent)) next += 1;
  while (next > begin + 1 && isBlank(lines[next - 1] ?? "")) next -= 1;
  const added = rule.split("\n").map((line) => " ".repeat(indent) + line.slice(2));
  lines.splice(next, 0, ...added);
  const end = lines.slice(0, next + added.length).join("\n").length;
  return { text: `${lines.join("\n")}\n`, end };
}

const endsRule = (line: string, indent: number): boolean =>
  !isBlank(line) &&
  (indentOf(line) < indent ||
    (indentOf(line) === indent && /^ *- /.test(line)) ||
    (/^\S/.test(line) && indent > 0));
