import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { Marked, type RendererObject } from "marked";
import { type Guide, guideGroups, guides } from "../src/openapi/guides.ts";
import { type EntryGroup, escaped, framed, type Section } from "./page_frame.ts";
import type { ReferencePart } from "./reference.ts";

/*
 * The guides and the reference as pages that need no JavaScript.
 */

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The target of a link in `file` on the page; undefined for a file in the repository that is not served. */
function targetOf(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = "", anchor] = posix.join(posix.dirname(file), href).split("#");
  const target = guides.find((guide) => guide.file === path);
  return target && `/docs/guides/${target.name}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** The title of a heading, without markup. */
const plainTitle = (text: string): string => text.replaceAll(/`|\[|\]\(.*?\)/g, "");

/** A section and its words, for the search. */
interface ReadSection extends Section {
  words: string[];
}

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]+[\p{L}\p{N}_]/gu) ?? [];

/** The text before the first heading of one level, and the sections that these headings begin. */
function sectionsIn(
  text: string,
  level: number,
  sectionOf: (heading: string) => Section,
): [introduction: ReadSection, ...sections: ReadSection[]] {
  const introduction: ReadSection = { title: "", anchor: "", words: [] };
  const sections: ReadSection[] = [];
  for (const token of new Marked().lexer(text)) {
    if (token.type === "heading" && token["depth"] === level)
      sections.push({ ...sectionOf(String(token["text"])), words: [] });
    else (sections.at(-1) ?? introduction).words.push(...wordsOf(token.raw));
  }
  return [introduction, ...sections];
}

/** The sections of a guide: the headings of the second level. */
const sectionsOf = ({ file }: Guide) =>
  sectionsIn(readFileSync(file, "utf8"), 2, (heading) => {
    const title = plainTitle(heading);
    return { title, anchor: anchorOf(title) };
  });

/** The section of an operation, `POST /ip_policies: Create an IP policy`, has the end of Scalar's links as its anchor. */
function partSection(heading: string): Section {
  const [, method, path = "", summary = ""] = /^([A-Z]+) (\/\S*): (.*)$/.exec(heading) ?? [];
  return method === undefined
    ? { title: heading, anchor: heading }
    : { title: summary, anchor: method + path };
}

const partSections = ({ text }: ReferencePart) => sectionsIn(text, 3, partSection);

const guideHref = (name: string): string => `/docs/guides/${name}`;
const partHref = (name: string): string => `/docs/reference/${name}`;

/** What the search of the pages finds, as JSON: each page and its sections, with the words in their text. */
export function searchIndex(parts: readonly ReferencePart[]): string {
  const entries = (page: string, href: string, sections: ReadSection[]) =>
    sections.map(({ title, anchor, words }) => ({
      page,
      title: title || page,
      href: anchor === "" ? href : `${href}#${anchor}`,
      text: [...new Set(words)].join(" "),
    }));
  return JSON.stringify([
    ...guides.flatMap((guide) => entries(guide.title, guideHref(guide.name), sectionsOf(guide))),
    ...parts.flatMap((part) => entries(part.title, partHref(part.name), partSections(part))),
  ]);
}

/** Converts Markdown to HTML, with an element for each section. Tables can be scrolled with the keyboard. */
function htmlOf(text: string, renderer: RendererObject): string {
  const [introduction = "", ...sections] = new Marked({ renderer })
    .parse(text, { async: false })
    .split(/(?=<h2 )/);
  return [introduction, ...sections.map((section) => `<section>\n${section}</section>\n`)]
    .join("")
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
}

/** A heading that has an address. The link beside it is for mouse users: the list of sections has the same links. */
const headingOf = (level: number, anchor: string, html: string): string => {
  const id = escaped(anchor);
  const sign = level === 1 ? "" : `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
  return `<h${level} id="${id}">${html}${sign}</h${level}>\n`;
};

/** HTML with a picture whose text would be too small on a phone: its description follows as a list, which is shown there instead. */
function withText(html: string): string {
  const [, description] = / alt="([^"]*)"/.exec(html) ?? [];
  if (description === undefined) return html;
  const sentences = description.split(/(?<=\.) /).map((sentence) => `<li>${sentence}</li>`);
  return `${html}<ul class="pictured">${sentences.join("")}</ul>\n`;
}

/** Converts a guide to HTML. @param styles the address of the style sheet */
export function guidePage(guide: Guide, styles: string): string {
  const { name, file, title } = guide;
  // The build serves the pictures of docs/ under the same path.
  const served = (src: string): string => `/${posix.join(posix.dirname(file), src)}`;
  const body = htmlOf(readFileSync(file, "utf8"), {
    heading({ tokens, depth, text }) {
      return headingOf(depth, anchorOf(plainTitle(text)), this.parser.parseInline(tokens));
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(file, href);
      return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    // The page's own list of its sections: it has one beside the text.
    list(token) {
      return token.items.every(({ text }) => /^\[[^\]]*\]\(#[^)]*\)$/.test(text)) ? "" : false;
    },
    image: ({ href, text }) => `<img src="${escaped(served(href))}" alt="${escaped(text)}" />`,
    html: ({ text }) => withText(text.replaceAll(/(?<=<img src=")[^":]+/g, served)),
  });
  const groups = guideGroups.map((group): EntryGroup => ({
    title: group.title,
    entries: group.guides.map((one) => ({
      title: one.title,
      href: guideHref(one.name),
      isCurrent: one.name === name,
    })),
  }));
  const [, ...sections] = sectionsOf(guide);
  return framed({ of: "guides", title, groups, sections, body, styles });
}

/** A command that sends the example of an operation, `POST /ip_policies {"description":"Lisbon office"}`. */
function commandOf(method: string, target: string, body: string | undefined): string {
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$API${target}"`,
    '-H "Authorization: Bearer $API_KEY"',
    '-H "Service-Version: 2"',
  ];
  if (body !== undefined) {
    const text = body.length > 60 ? JSON.stringify(JSON.parse(body), null, 2) : body;
    lines.push('-H "Content-Type: application/json"', `-d '${text.replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

/** The text of a part, whose examples are commands to copy. */
const withCommands = (text: string): string =>
  text
    .replace(
      "Examples omit the headers, which the quickstart shows.",
      "Examples use the variables of the quickstart.",
    )
    .replaceAll(
      /^- example: `([A-Z]+) (\S+)(?: (.*))?`$/gm,
      (_, method: string, target: string, body?: string) =>
        `\n\`\`\`sh\n${commandOf(method, target, body)}\n\`\`\``,
    );

/**
 * Converts the parts of the reference to HTML: the name of each, and its page. Names of objects lead to their fields.
 *
 * @param styles the address of the style sheet
 */
export function referencePages(parts: readonly ReferencePart[], styles: string): Map<string, string> {
  const objects = parts.find(({ name }) => name === "objects");
  const names = new Set(objects && partSections(objects).map(({ title }) => title));
  const pageOf = (part: ReferencePart): string => {
    const body = htmlOf(withCommands(part.text), {
      heading({ tokens, depth, text }) {
        if (depth < 3) {
          // Only the introduction has a heading of the first level.
          const level = part.text.startsWith("# ") ? depth : 1;
          return headingOf(level, anchorOf(text), this.parser.parseInline(tokens));
        }
        const { title, anchor } = partSection(text);
        const heading = headingOf(2, anchor, escaped(title));
        if (title === anchor) return heading;
        const call = escaped(text.slice(0, text.indexOf(": ")));
        const link = `/docs#tag/${part.name}/${escaped(anchor)}`;
        return `${heading}<p class="call"><code>${call}</code><a href="${link}">Try it</a></p>\n`;
      },
      codespan({ text }) {
        const shown = `<code>${escaped(text)}</code>`;
        return names.has(text) ? `<a href="${partHref("objects")}#${text}">${shown}</a>` : shown;
      },
    });
    const entries = parts.map((other) => ({
      title: other.title,
      href: partHref(other.name),
      isCurrent: other.name === part.name,
    }));
    const isIntroduction = part.text.startsWith("# ");
    const [, ...sections] = isIntroduction
      ? sectionsIn(part.text, 2, (title) => ({ title, anchor: anchorOf(title) }))
      : partSections(part);
    return framed({
      of: "docs",
      title: part.title,
      groups: [{ title: "", entries }],
      sections,
      body,
      styles,
    });
  };
  return new Map(parts.map((part) => [part.name, pageOf(part)]));
}
