// Search in guides and reference, and buttons that copy code. The pages work without.

/** Finds the sections whose titles have all words of a query. */
async function found(query) {
  globalThis.sections ??= await (await fetch("/docs/search.json")).json();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return globalThis.sections
    .filter(({ page, title }) => words.every((word) => `${page} ${title}`.toLowerCase().includes(word)))
    .slice(0, 12);
}

const search = document.querySelector("nav search input");
const results = document.querySelector("nav search ul");
if (search && results) {
  search.closest("search").hidden = false;
  search.addEventListener("input", async () => {
    const query = search.value;
    const sections = await found(query);
    if (search.value !== query) return;
    results.replaceChildren(
      ...sections.map(({ page, title, href }) => {
        const link = document.createElement("a");
        link.href = href;
        link.textContent = title === page ? page : `${page}: ${title}`;
        const item = document.createElement("li");
        item.append(link);
        return item;
      }),
    );
    const isEmpty = query.trim() !== "" && sections.length === 0;
    if (isEmpty)
      results.append(Object.assign(document.createElement("li"), { textContent: "Nothing found" }));
  });
}

for (const block of document.querySelectorAll("pre")) {
  const frame = document.createElement("div");
  frame.className = "block";
  block.replaceWith(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  frame.append(block, button);
}

// The list scrolls by itself on wide screens.
const list = document.querySelector("nav");
const current = list?.querySelector("[aria-current]");
if (list && current) list.scrollTop = current.offsetTop - list.clientHeight / 3;
