/*
 * Edits of the text of a traffic policy.
 */

/** The names in a message such as `Unknown action "deyn"; did you mean "deny"?`; undefined if it suggests none. */
export function suggestionIn(msg: string): { wrong: string; right: string } | undefined {
  const [, wrong, right] = /"([^"]+)"; did you mean "([^"]+)"\?/.exec(msg) ?? [];
  return wrong === undefined || right === undefined ? undefined : { wrong, right };
}

/**
 * Finds a wrong name: at a line and column, both from 1, or else its only occurrence in the line. The position of a key is that of its
 * value, so a name that is not in the line is the nearest key above.
 *
 * @returns the line, from 1, and the index in the line; undefined if the position is ambiguous
 */
export function placeOfName(
  text: string,
  name: string,
  line: number,
  column: number,
): { line: number; index: number } | undefined {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lines = text.split("\n").slice(0, line);
  const found = Array.from(
    (lines.at(-1) ?? "").matchAll(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "g")),
    ({ index }) => index,
  );
  if (found.includes(column - 1)) return { line, index: column - 1 };
  const [only, ...others] = found;
  if (only !== undefined) return others.length === 0 ? { line, index: only } : undefined;
  const key = new RegExp(`^[\\s-]*["']?(?=${escaped}["']?\\s*:)`);
  const above = lines.findLastIndex((one) => key.test(one));
  return above === -1 ? undefined : { line: above + 1, index: key.exec(lines[above] ?? "")?.[0].length ?? 0 };
}

const isBlank = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);
const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

/** Whether a text is written in JSON. */
export const isJson = (text: string): boolean => text.trimStart().startsWith("{");

/**
 * A text in YAML with another rule of a phase: below the rule that a position is in, or at the end of the phase, or in a new list.
 *
 * @param at the position, an index in the text
 * @param phase such as `on_http_request`
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
  while (lines.at(-1) === "") lines.pop();
  const isPhase = (line: string): boolean => new RegExp(`^["']?${phase}["']?:\\s*(?:#.*)?$`).test(line);
  if (!lines.some(isPhase)) lines.push(`${phase}:`);
  const begin = lines.findIndex(isPhase);
  const first = lines.find((line, index) => index > begin && !isBlank(line)) ?? "";
  const indent = /^ *- /.test(first) ? indentOf(first) : 2;
  /** The first line after one that ends what is there: neither blank nor a part of it. */
  const endAfter = (line: number, isPart: (line: string) => boolean): number => {
    const end = lines.findIndex((one, index) => index > line && !isBlank(one) && !isPart(one));
    return end === -1 ? lines.length : end;
  };
  const phaseEnd = endAfter(begin, (line) => /^(?: |- )/.test(line));
  const current = text.slice(0, at).split("\n").length - 1;
  const isInPhase = current >= begin && current < phaseEnd;
  let next = isInPhase ? endAfter(current, (line) => indentOf(line) > indent) : phaseEnd;
  while (next > begin + 1 && isBlank(lines[next - 1] ?? "")) next -= 1;
  const added = rule.split("\n").map((line) => " ".repeat(indent) + line.slice(2));
  lines.splice(next, 0, ...added);
  const end = lines.slice(0, next + added.length).join("\n").length;
  return { text: `${lines.join("\n")}\n`, end };
}
