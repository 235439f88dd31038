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

/** Converts a guide to HTML. Code and tables can be scrolled with the keyboard. */
export function guidePage({ name, file, title }: Guide): string {
  // The build serves the pictures of docs/ under the same path.
  const served = (src: string): string => `/${posix.join(posix.dirname(file), src)}`;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text.replaceAll(/`|\[|\]\(.*?\)/g, ""));
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
  const links = guides.map((other) => {
    const current = other.name === name ? ' aria-current="page"' : "";
    return `<li><a href="/docs/guides/${other.name}"${current}>${escaped(other.title)}</a></li>`;
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
  </head>
  <body>
    <nav aria-label="Guides">
      <a href="/docs">API reference</a>
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
