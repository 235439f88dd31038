import { expect, test } from "vitest";
import { placeOfName, suggestionIn, withRule } from "../packages/console/src/changes/policy_text.ts";

/*
 * How the console edits the text of a traffic policy.
 */

const RULE = "  - name: new\n    actions: [{ type: deny }]";
const PHASE = "on_http_request";

/** The text with the rule, which ends at `|`. @param text the caret is at `|` */
function inserted(text: string): string {
  const at = text.indexOf("|");
  const { text: result, end } = withRule(text.replace("|", ""), at, PHASE, RULE);
  return `${result.slice(0, end)}|${result.slice(end)}`;
}

test.each([
  ["the first rule gets its phase", "|", `${PHASE}:\n${RULE}|\n`],
  ["a comment is no rule", "# notes\n|", `# notes\n${PHASE}:\n${RULE}|\n`],
  ["a phase without rules", `${PHASE}:|\n`, `${PHASE}:\n${RULE}|\n`],
  [
    "in its own phase, wherever the caret is",
    `${PHASE}:\n- name: a\n\non_http_response:\n- name: c|\n`,
    `${PHASE}:\n- name: a\n- name: new\n  actions: [{ type: deny }]|\n\non_http_response:\n- name: c\n`,
  ],
  [
    "in a new list, if its phase has none",
    "on_http_response:\n  - name: c|\n",
    `on_http_response:\n  - name: c\n${PHASE}:\n${RULE}|\n`,
  ],
  [
    "below the rule of the caret, however long that is",
    `${PHASE}:\n  - name: a|\n    actions:\n      - type: deny\n\n  - name: b\n`,
    `${PHASE}:\n  - name: a\n    actions:\n      - type: deny\n${RULE}|\n\n  - name: b\n`,
  ],
  [
    "at the end of its phase",
    `${PHASE}:\n  - name: b|\non_http_response:\n  - name: c\n`,
    `${PHASE}:\n  - name: b\n${RULE}|\non_http_response:\n  - name: c\n`,
  ],
  [
    "as far indented as its neighbours",
    `${PHASE}:\n- name: a|\n`,
    `${PHASE}:\n- name: a\n- name: new\n  actions: [{ type: deny }]|\n`,
  ],
])("a rule is inserted: %s", (_, text, result) => expect(inserted(text)).toBe(result));

test.each([
  ["at the column", "req.methd == 'GET' && req.methd != ''", "req.methd", 1, 0],
  ["before the column, which is that of the value", "  - nmae: foo", "nmae", 11, 4],
  ["as a part of what is at the column", "vars.nmae == 1", "nmae", 1, 5],
  ["before a call", "req.url.pth.startsWith('/a')", "req.url.pth", 1, 0],
  ["twice, and not at the column", "a.b && a.b", "b", 1, undefined],
  ["only in a longer name", "  - names: foo", "name", 12, undefined],
])("a name is found: %s", (_, line, name, column, index) =>
  expect(placeOfName(line, name, 1, column)).toEqual(index === undefined ? undefined : { line: 1, index }),
);

test.each([
  ["above its value", "on_http_requst:\n  - name: a\n", "on_http_requst", 2, { line: 1, index: 0 }],
  ["in quotes", '"on_http_requst":\n  - name: a\n', "on_http_requst", 2, { line: 1, index: 1 }],
  [
    "the nearest one",
    "- a:\n    nmae:\n      x\n- b:\n    nmae:\n      x\n    nmae_2: y\n",
    "nmae",
    6,
    { line: 5, index: 4 },
  ],
  ["not below", "  x\nnmae:\n", "nmae", 1, undefined],
  ["not a value", "a: nmae\nb:\n  - x\n", "nmae", 3, undefined],
])("a key is found: %s", (_, text, name, line, place) =>
  expect(placeOfName(text, name, line, 5)).toEqual(place),
);

test("a suggestion is read from a message", () => {
  expect(suggestionIn('Unknown action "deyn"; did you mean "deny"?')).toEqual({
    wrong: "deyn",
    right: "deny",
  });
  expect(suggestionIn('Unknown member "x"; accepted: name, actions.')).toBeUndefined();
});
