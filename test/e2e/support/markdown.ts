import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { anchorOf } from "../../../scripts/pages.ts";

/** The pages for users and operators. */
export const pages = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** A fenced block of code. */
export interface Block {
  /** `docs/api.md, Retry safely, sh`; the second of the same kind under a heading ends in ` 2`. */
  name: string;
  code: string;
}

/** Commands of which the first `edge certificates` waits until an agent has reported a valid certificate. A reader is slower than that. */
export const afterReport = (code: string): string =>
  code.replace(/^edge certificates/m, 'until edge certificates | grep -q "^valid"; do sleep 0.2; done\n$&');

/** Fenced blocks within lists are indented. */
const FENCE = /^( *)```(\w*)\n([^]*?)^ *```$/gm;

/** The fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, "utf8");
  const counts = new Map<string, number>();
  return Array.from(text.matchAll(FENCE), ({ index, 1: indent = "", 2: language = "", 3: code = "" }) => {
    // A # in a block is a comment, not a heading.
    const before = text.slice(0, index).replace(FENCE, "");
    const [, heading = ""] = /.*^#+ ([^\n]*)$/ms.exec(before) ?? [];
    const kind = `${page}, ${heading}, ${language}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return {
      name: count === 1 ? kind : `${kind} ${count}`,
      code: code.replace(new RegExp(`^${indent}`, "gm"), ""),
    };
  });
}

/** The commands in the sentences of a page. */
export function commandsIn(page: string): string[] {
  const text = readFileSync(page, "utf8").replace(FENCE, "");
  return Array.from(
    text.matchAll(/`((?:npm|npx|node|curl|wrangler) [^`]*)`/g),
    ([, command = ""]) => command,
  );
}

/** The anchors of a page. */
export const anchorsOf = (page: string): string[] =>
  Array.from(
    readFileSync(page, "utf8")
      .replace(FENCE, "")
      .matchAll(/^#+ (.*)$/gm),
    ([, heading = ""]) => anchorOf(heading),
  );

/** The targets of a page's links to files and headings in this repository. */
export const linksOf = (page: string): string[] =>
  Array.from(
    readFileSync(page, "utf8")
      .replace(FENCE, "")
      .matchAll(/\]\(([^)]+)\)/g),
    ([, target = ""]) => target,
  ).filter((target) => !/^[a-z]+:/.test(target));
