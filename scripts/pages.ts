import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { Marked, type RendererObject } from "marked";
import { type Guide, guides } from "../src/openapi/guides.ts";
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

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The target of a link in `file` on the page; undefined for a file in the repository that is not served. */
function targetOf(file: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = "", anchor] = posix.join(posix.dirname(file), href).split("#");
  const target = guides.find((guide) => guide.file === path);
  return target && `/docs/guides/${target.name}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** The title of a heading, without markup. */
const plainTitle = (text: string): string => text.replaceAll(/`|\[|\]\(.*?\)/g, "");

interface Section {
  title: string;
  anchor: string;
}

/** The headings of one level in a text, as sections. */
function headingsOf(text: string, level: number, sectionOf: (heading: string) => Section): Section[] {
  const tokens = new Marked().lexer(text);
  return tokens.flatMap((token) =>
    token.type === "heading" && token["depth"] === level ? [sectionOf(String(token["text"]))] : [],
  );
}

/** The sections of a guide: the headings of the second level. */
const sectionsOf = ({ file }: Guide): Section[] =>
  headingsOf(readFileSync(file, "utf8"), 2, (heading) => {
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

const partSections = ({ text }: ReferencePart): Section[] => headingsOf(text, 3, partSection);

const guideHref = (name: string): string => `/docs/guides/${name}`;
const partHref = (name: string): string => `/docs/reference/${name}`;

/** What the search of the pages finds, as JSON: each page and its sections. */
export function searchIndex(parts: readonly ReferencePart[]): string {
  const entries = (page: string, href: string, sections: Section[]) =>
    [
      { title: page, href },
      ...sections.map(({ title, anchor }) => ({ title, href: `${href}#${anchor}` })),
    ].map((one) => ({ page, ...one }));
  return JSON.stringify([
    ...guides.flatMap((guide) => entries(guide.title, guideHref(guide.name), sectionsOf(guide))),
    ...parts.flatMap((part) => entries(part.title, partHref(part.name), partSections(part))),
  ]);
}

/** Converts Markdown to HTML. Code and tables can be scrolled with the keyboard. */
function htmlOf(text: string, renderer: RendererObject): string {
  const marked = new Marked({ renderer });
  return marked
    .parse(text, { async: false })
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
}

/** A page in the list of pages; the current one shows its sections. */
interface Entry {
  title: string;
  href: string;
  sections: Section[];
  isCurrent: boolean;
}

function listItem({ title, href, sections, isCurrent }: Entry): string {
  const link = `<a href="${href}"`;
  if (!isCurrent) return `<li>${link}>${escaped(title)}</a></li>`;
  const contents = sections.map(
    (one) => `<li><a href="#${escaped(one.anchor)}">${escaped(one.title)}</a></li>`,
  );
  return `<li>${link} aria-current="page">${escaped(title)}</a><ul>${contents.join("")}</ul></li>`;
}

/** The links above the list of pages. */
const OTHER_PAGES = {
  Guides: '<a href="/docs/reference/introduction">Reference</a> · <a href="/docs">Try the API</a>',
  Reference: '<a href="/docs/guides/api">Guides</a> · <a href="/docs">Try the API</a>',
};

function page(list: "Guides" | "Reference", title: string, entries: Entry[], body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} · Edge Configuration API</title>
    <link rel="icon" href="/docs/icon.svg" />
    <link rel="stylesheet" href="/docs/guides.css" />
    <script type="module" src="/docs/guides.js"></script>
  </head>
  <body>
    <nav aria-label="${list}">
      ${OTHER_PAGES[list]} · <a href="/console">Console</a>
      <search hidden>
        <input type="search" placeholder="Search" aria-label="Search guides and reference" autocomplete="off" />
        <ul aria-live="polite"></ul>
      </search>
      <details>
        <summary>${list}</summary>
        <ul>
          ${entries.map(listItem).join("\n          ")}
        </ul>
      </details>
    </nav>
    <main>
${body}
    </main>
  </body>
</html>
`;
}

/** Converts a guide to HTML. */
export function guidePage({ name, file, title }: Guide): string {
  // The build serves the pictures of docs/ under the same path.
  const served = (src: string): string => `/${posix.join(posix.dirname(file), src)}`;
  const body = htmlOf(readFileSync(file, "utf8"), {
    heading({ tokens, depth, text }) {
      const anchor = anchorOf(plainTitle(text));
      return `<h${depth} id="${escaped(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(file, href);
      return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    image: ({ href, text }) => `<img src="${escaped(served(href))}" alt="${escaped(text)}" />`,
    html: ({ text }) => text.replaceAll(/(?<=<img src=")[^":]+/g, served),
  });
  const entries = guides.map((guide) => ({
    title: guide.title,
    href: guideHref(guide.name),
    sections: sectionsOf(guide),
    isCurrent: guide.name === name,
  }));
  return page("Guides", title, entries, body);
}

/** Converts the parts of the reference to HTML: the name of each, and its page. Names of objects lead to their fields. */
export function referencePages(parts: readonly ReferencePart[]): Map<string, string> {
  const objects = parts.find(({ name }) => name === "objects");
  const names = new Set(objects && partSections(objects).map(({ title }) => title));
  const pageOf = (part: ReferencePart): string => {
    const body = htmlOf(part.text, {
      heading({ tokens, depth, text }) {
        if (depth < 3) {
          // Only the introduction has a heading of the first level.
          const level = part.text.startsWith("# ") ? depth : 1;
          return `<h${level} id="${escaped(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${level}>\n`;
        }
        const { title, anchor } = partSection(text);
        const isOperation = title !== anchor;
        const call = isOperation ? `<p><code>${escaped(text.slice(0, text.indexOf(": ")))}</code></p>\n` : "";
        return `<h2 id="${escaped(anchor)}">${escaped(title)}</h2>\n${call}`;
      },
      codespan({ text }) {
        const shown = `<code>${escaped(text)}</code>`;
        return names.has(text) ? `<a href="${partHref("objects")}#${text}">${shown}</a>` : shown;
      },
    });
    const entries = parts.map((other) => ({
      title: other.title,
      href: partHref(other.name),
      sections: other.name === "objects" ? [] : partSections(other),
      isCurrent: other.name === part.name,
    }));
    return page("Reference", part.title, entries, body);
  };
  return new Map(parts.map((part) => [part.name, pageOf(part)]));
}
