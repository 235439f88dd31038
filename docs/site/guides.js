// Search in guides and reference, buttons that copy code, and the mark of the section that is read. The pages work without.

/** Resolves to the pages and sections, with the words in them. Loaded with the first search. */
let loading;

async function load() {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`the index has the status ${response.status}`);
  return response.json();
}

/** The words of a query, without signs at their ends. */
const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?/gu) ?? [];

/** How well a section fits the words of a query: those in its title count most, then those of the page's; 0 if a word is missing. */
function fit({ page, title, text }, query) {
  let sum = 0;
  for (const word of query) {
    if (title.toLowerCase().includes(word)) sum += 100;
    else if (page.toLowerCase().includes(word)) sum += 10;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

/** The sections that have all words of a query, the best first. */
async function found(text) {
  const query = words(text);
  if (query.length === 0) return [];
  loading ??= load();
  return (await loading)
    .map((section) => ({ section, fits: fit(section, query) }))
    .filter(({ fits }) => fits > 0)
    .sort((a, b) => b.fits - a.fits)
    .slice(0, 12)
    .map(({ section }) => section);
}

const element = (name, properties, ...children) => {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...children);
  return one;
};

function enableSearch(search) {
  const field = search.querySelector("input");
  const results = search.querySelector("ul");
  search.hidden = false;
  field.addEventListener("input", async () => {
    const query = field.value;
    const sections = await found(query).catch(() => undefined);
    if (field.value !== query) return;
    if (!sections) {
      // The next key tries again.
      loading = undefined;
      results.replaceChildren(element("li", { textContent: "The search is not available" }));
      return;
    }
    results.replaceChildren(
      ...sections.map(({ page, title, href }) => {
        const link = element("a", { href }, title);
        if (title !== page) link.append(element("small", {}, page));
        return element("li", {}, link);
      }),
    );
    if (query.trim() !== "" && sections.length === 0)
      results.append(element("li", { textContent: "Nothing found" }));
  });
  const links = () => [...results.querySelectorAll("a")];
  search.addEventListener("keydown", (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === "Enter" && event.target === field) all[0]?.click();
    else if (event.key === "ArrowDown") all[at + 1]?.focus();
    else if (event.key === "ArrowUp") (all[at - 1] ?? field).focus();
    else if (event.key === "Escape") {
      field.value = "";
      results.replaceChildren();
      field.focus();
    } else return;
    event.preventDefault();
  });
  addEventListener("keydown", (event) => {
    const isCommand = event.key === "k" && (event.ctrlKey || event.metaKey);
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isCommand && !(isSlash && !event.target.closest("input, textarea"))) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

/** Puts a button that copies it beside a block of code. */
function enableCopy(block) {
  const frame = element("div", { className: "cmd" });
  block.replaceWith(frame);
  const button = element("button", { type: "button", className: "btn q s", textContent: "Copy" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.textContent.trimEnd());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  frame.append(block, button);
}

/** The element of a heading's section: its place is known before the layout of what is in it. */
const boxOf = (heading) => heading.closest("section") ?? heading;

/** The element that an address leads to. */
function targetOf(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // It has a malformed escape.
    return null;
  }
}

/** Marks the section in view in the list of sections. */
function followSections(list) {
  const links = new Map(Array.from(list.querySelectorAll("a"), (link) => [targetOf(link.hash)?.id, link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    const line = innerHeight / 4;
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const target = targetOf(location.hash);
    const current =
      atEnd && headings.includes(target)
        ? target
        : headings.findLast((heading) => boxOf(heading).getBoundingClientRect().top < line);
    for (const [id, link] of links) {
      if (id !== current?.id) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "true");
        const { offsetTop, clientHeight } = link;
        if (offsetTop < list.scrollTop || offsetTop + clientHeight > list.scrollTop + list.clientHeight)
          list.scrollTop = offsetTop - list.clientHeight / 2;
      }
    }
  };
  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      mark();
    });
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("hashchange", soon);
  mark();
}

const search = document.querySelector("search");
if (search) enableSearch(search);
// Commands and texts name the service that serves this page.
for (const code of document.querySelectorAll("main code"))
  if (code.textContent.includes("$ORIGIN"))
    code.textContent = code.textContent.replaceAll("$ORIGIN", location.origin);
for (const block of document.querySelectorAll("main pre")) enableCopy(block);
const sections = document.querySelector(".sections");
if (sections) followSections(sections);
// On a phone, a chosen section closes the list above the text.
for (const link of document.querySelectorAll(".sections a"))
  link.addEventListener("click", () => link.closest("details").removeAttribute("open"));
// The list of pages scrolls by itself.
const contents = document.querySelector(".contents");
const page = contents?.querySelector("[aria-current]");
if (page) contents.scrollTop = page.offsetTop - contents.clientHeight / 3;
