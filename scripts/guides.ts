import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { Marked } from "marked";
import { type Guide, guides } from "../src/openapi/guides.ts";

/*
 * Converts the guides to pages that need no JavaScript.
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

/** The sections of a guide: the headings of the second level. */
function sectionsOf({ file }: Guide): { title: string; anchor: string }[] {
  const tokens = new Marked().lexer(readFileSync(file, "utf8"));
  return tokens.flatMap((token) => {
    if (token.type !== "heading" || token["depth"] !== 2) return [];
    const title = plainTitle(String(token["text"]));
    return [{ title, anchor: anchorOf(title) }];
  });
}

/** What the search of the guides finds, as JSON: each guide and its sections. */
export const guidesIndex = (): string =>
  JSON.stringify(
    guides.flatMap((guide) => {
      const href = `/docs/guides/${guide.name}`;
      const sections = sectionsOf(guide).map(({ title, anchor }) => ({ title, href: `${href}#${anchor}` }));
      return [{ title: guide.title, href }, ...sections].map((one) => ({ guide: guide.title, ...one }));
    }),
  );

/** Converts a guide to HTML. Code and tables can be scrolled with the keyboard. */
export function guidePage(guide: Guide): string {
  const { name, file, title } = guide;
  // The build serves the pictures of docs/ under the same path.
  const served = (src: string): string => `/${posix.join(posix.dirname(file), src)}`;
  const marked = new Marked({
    renderer: {
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
    },
  });
  const body = marked
    .parse(readFileSync(file, "utf8"), { async: false })
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
  const contents = sectionsOf(guide).map(
    ({ title: section, anchor }) => `<li><a href="#${escaped(anchor)}">${escaped(section)}</a></li>`,
  );
  const links = guides.map((other) => {
    const link = `<a href="/docs/guides/${other.name}"`;
    return other.name === name
      ? `<li>${link} aria-current="page">${escaped(other.title)}</a><ul>${contents.join("")}</ul></li>`
      : `<li>${link}>${escaped(other.title)}</a></li>`;
  });
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
    <nav aria-label="Guides">
      <a href="/docs">API reference</a> · <a href="/console">Console</a>
      <search hidden>
        <input type="search" placeholder="Search the guides" aria-label="Search the guides" autocomplete="off" />
        <ul aria-live="polite"></ul>
      </search>
      <ul>
        ${links.join("\n        ")}
      </ul>
    </nav>
    <main>
${body}
    </main>
  </body>
</html>
`;
}
