import { iconPath } from "../packages/console/src/widgets/icon_paths.ts";
import { linkTo, navigation, tabs } from "../packages/console/src/widgets/navigation.ts";

/*
 * The frame of the guides and the reference: the same as the console's, with its side bar and tabs, as HTML that needs no JavaScript.
 */

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A heading of a page, and the end of its address. */
export interface Section {
  title: string;
  anchor: string;
}

/** A page in the list of pages. */
interface Entry {
  title: string;
  href: string;
  isCurrent: boolean;
}

/** Pages under a heading, which can be empty. */
export interface EntryGroup {
  title: string;
  entries: Entry[];
}

interface FramedPage {
  /** The page of the side bar that this one belongs to. */
  of: "guides" | "docs";
  title: string;
  groups: EntryGroup[];
  sections: Section[];
  /** HTML. */
  body: string;
  /** The address of the style sheet. */
  styles: string;
}

const icon = (name: string): string =>
  `<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${iconPath(name)}" /></svg>`;

const current = (is: boolean): string => (is ? ' aria-current="page"' : "");

/** The address of a page of the side bar, from outside the console. */
const hrefOf = (name: string): string => {
  const link = linkTo(name);
  return link.startsWith("#") ? `/console${link}` : link;
};

const brand = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" class="logo" /><path d="M8 10h6l4 12h6M18 10h6" class="logo-line" /></svg>`;

/** The side bar. It has all pages: the console hides some by role after sign-in. */
function sideBar(of: string): string {
  const groups = navigation("admin").map(({ title, pages }) => {
    const links = pages.map(
      ({ name, text }) =>
        `<a class="nav" href="${hrefOf(name)}"${current(name === of)}>${icon(name)}${text}</a>`,
    );
    return `${title === "" ? "" : `<div class="nav-h">${title}</div>`}${links.join("")}`;
  });
  return `<aside class="side">
        <a class="brand" href="/console">${brand}<b class="grow">Edge configuration</b></a>
        <nav aria-label="Pages">${groups.join("")}</nav>
      </aside>`;
}

const tabBar = (): string =>
  `<nav class="tabs" aria-label="Tabs">${tabs
    .map(({ name, text }) => `<a href="${hrefOf(name)}">${icon(name)}<span>${text}</span></a>`)
    .join("")}</nav>`;

const groupOf = ({ title, entries }: EntryGroup): string =>
  `${title === "" ? "" : `<div class="nav-h">${title}</div>`}<ul>${entries
    .map(
      ({ title: name, href, isCurrent }) =>
        `<li><a href="${href}"${current(isCurrent)}>${escaped(name)}</a></li>`,
    )
    .join("")}</ul>`;

const sectionList = (sections: Section[]): string =>
  sections.length === 0
    ? ""
    : `<nav class="sections" aria-label="On this page">
          <div class="nav-h" aria-hidden="true">On this page</div>
          <details>
            <summary>On this page</summary>
            <ul>${sections
              .map(({ title, anchor }) => `<li><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`)
              .join("")}</ul>
          </details>
        </nav>`;

/** The whole page. */
export function framed({ of, title, groups, sections, body, styles }: FramedPage): string {
  const [list, home, other] =
    of === "guides"
      ? ["Guides", "/docs/guides", "/docs/reference"]
      : ["API reference", "/docs/reference", "/docs/guides"];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} · ${of === "guides" ? "Edge configuration" : "Edge Configuration API"}</title>
    <link rel="icon" href="/docs/icon.svg" />
    <script src="/docs/theme.js"></script>
    <link rel="stylesheet" href="${styles}" />
    <script type="module" src="/docs/guides.js"></script>
  </head>
  <body>
    <div class="frame">
      ${sideBar(of)}
      <div class="body">
        <header class="top">
          <a class="only-phone" href="/console">${icon("back")}Console</a>
          <nav class="wide" aria-label="Breadcrumbs"><a href="${home}">${list}</a><span aria-hidden="true">/</span><span class="cut" aria-current="page">${escaped(title)}</span></nav>
          <a class="push only-phone" href="${other}">${of === "guides" ? "API reference" : "Guides"}</a>
          <a class="btn s wide push" href="/docs">Try the API</a>
        </header>
        <div class="page guide">
          <nav class="contents" aria-label="${list}">
            <search hidden>
              <label class="find">${icon("find")}<input type="search" placeholder="Search" aria-label="Search guides and reference" autocomplete="off" /><kbd aria-hidden="true">/</kbd></label>
              <ul aria-live="polite"></ul>
            </search>
            <details>
              <summary>${of === "guides" ? "All guides" : "All parts"}</summary>
              ${groups.map(groupOf).join("\n              ")}
            </details>
          </nav>
          ${sectionList(sections)}
          <main>
${body}
          </main>
        </div>
      </div>
      ${tabBar()}
    </div>
  </body>
</html>
`;
}
