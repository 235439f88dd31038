import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { type ReferencePart, referenceParts } from "../../../scripts/reference.ts";
import { guides } from "../../../src/openapi/guides.ts";
import { startBrowser } from "../support/browser.ts";
import { pages } from "../support/markdown.ts";
import { type Service, startService } from "../support/service.ts";

/*
 * The documentation in a real browser. Set SCREENSHOTS to a folder to save screenshots there.
 */

const run = promisify(execFile);

let service: Service;
let browser: Browser;
before(async () => {
  service = await startService();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await service.stop();
});

interface Reader {
  page: Page;
  /** Errors in the console and failed requests. */
  complaints: string[];
}

/** A page that collects errors. */
async function newReader(width: number, colorScheme: "light" | "dark"): Promise<Reader> {
  const complaints: string[] = [];
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  page.on("console", (message) => {
    if (message.type() !== "info") complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${service.origin}/`) && !url.startsWith("data:"))
      complaints.push(`foreign request: ${url}`);
  });
  page.setDefaultTimeout(60_000);
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error("violates the policy:", violatedDirective, blockedURI))`,
  );
  return { page, complaints };
}

/** Opens the documentation page at the operation that creates an IP policy. */
async function open(width: number, colorScheme: "light" | "dark"): Promise<Reader> {
  const { page, complaints } = await newReader(width, colorScheme);
  await page.goto(`${service.origin}/docs#tag/ip-policies/POST/ip_policies`);
  await page.locator(".references-rendered a[href*='/']").first().waitFor();
  return { page, complaints };
}

/** The form for requests. */
const FORM = ".scalar-app-layout";

/** Sends the example request of an operation, and returns the element that shows the response with the expected status. */
async function send(page: Page, operation: Locator, status: string): Promise<Locator> {
  await operation.getByRole("button", { name: "Test Request" }).click();
  await page.locator("[data-addressbar-action=send]:visible").click();
  const form = page.locator(FORM);
  await form.getByText(status).waitFor();
  return form;
}

const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["SCREENSHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: false });
};

/** Violations inside Scalar's elements that neither its configuration nor our style sheet can fix: rule, place, reason. */
const OF_SCALAR = [
  ["label-content-name-mismatch", ".show-more", "its label names the collection, its text says Show More"],
  ["aria-required-attr", "[role=combobox]", "the search field does not say that its list is open"],
  ["landmark-no-duplicate-main", ".scalar-app-layout > main", "the form has another main"],
  ["landmark-unique", ".scalar-app-layout > section", "so have its notifications"],
  ["aria-allowed-role", "[id^=headlessui-popover-button-scalar-client]", "buttons have the role none"],
  ["aria-prohibited-attr", "[id^=headlessui-popover-button-scalar-client]", "the same buttons"],
  ["presentation-role-conflict", "[id^=headlessui-popover-button-scalar-client]", "the same buttons"],
  ["aria-required-attr", ".code-input-lite__editor", "fields for headers are comboboxes without a list"],
  ["aria-input-field-name", ".cm-content", "the editor of the body has no name"],
  ["aria-valid-attr-value", ".scalar-client [aria-controls]", "a button names a list that is not there yet"],
  ["scrollable-region-focusable", ".cm-scroller", "the response scrolls, and is not focusable"],
] as const;

/** Our violations of axe's accessibility rules (https://dequeuniversity.com/rules/axe) in an element. @param only the rules, if not all */
async function violationsIn(page: Page, element: string, only?: string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  // Text that is still fading in has no contrast yet.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
      .map(({ finished }) => finished),
  )`);
  return page.evaluate(
    async ([element, ofScalar, rules]) => {
      const { axe, document } = globalThis as unknown as {
        axe: { run: (element: string, options: axe.RunOptions) => Promise<axe.AxeResults> };
        document: { querySelector: (selector: string) => { matches: (selector: string) => boolean } | null };
      };
      const { violations } = await axe.run(element, {
        resultTypes: ["violations"],
        ...(rules && { runOnly: rules }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .map(({ target }) => target.join(" "))
          .filter(
            (target) =>
              !ofScalar.some(
                ([rule, selector]) => rule === id && document.querySelector(target)?.matches(selector),
              ),
          )
          .map((target) => `${id}: ${target}`),
      );
    },
    [element, OF_SCALAR, only] as const,
  );
}

/** Names in the request form that are covered by the mark of required fields. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(`
    [...document.querySelectorAll("${FORM} td > .required")].flatMap((mark) => {
      const name = mark.parentElement.querySelector("[contenteditable]");
      const range = document.createRange();
      range.selectNodeContents(name);
      const isCovered = range.getBoundingClientRect().right > mark.getBoundingClientRect().left;
      return isCovered ? [name.textContent] : [];
    })`);

for (const [width, scheme] of [
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
] as const)
  test(`at ${width} pixels in the ${scheme}, anybody can read the page, send requests and find operations`, async () => {
    const { page, complaints } = await open(width, scheme);
    const name = `${width}-${scheme}`;
    assert.equal(new URL(page.url()).pathname, "/docs");
    assert.equal(
      await page.evaluate("getComputedStyle(document.body).backgroundColor"),
      scheme === "dark" ? "rgb(18, 22, 29)" : "rgb(255, 255, 255)",
    );
    const creation = page.locator("section[id$='tag/ip-policies/POST/ip_policies']");
    await creation.waitFor();
    await picture(page, `${name}-operation`);
    assert.deepEqual(await violationsIn(page, "html"), []);
    assert.equal(
      await page.evaluate("document.documentElement.scrollWidth"),
      width,
      "nothing is wider than the page",
    );

    const key = page.getByPlaceholder("Token").first();
    const example = await key.inputValue();
    assert.match(await readFile(".dev.vars.example", "utf8"), new RegExp(`^ROOT_API_KEY="${example}"$`, "m"));
    const rejected = await send(page, creation, "401 Unauthorized");
    await rejected.getByText('"ERR_UNAUTHENTICATED"').waitFor();
    await picture(page, `${name}-rejected`);
    assert.deepEqual(await violationsIn(page, FORM), []);
    assert.deepEqual(await covered(page), [], "no name of a header is covered");
    await page.keyboard.press("Escape");
    assert.deepEqual(complaints.splice(0), [
      "console error: Failed to load resource: the server responded with a status of 401 (Unauthorized)",
    ]);

    await key.fill(service.key);
    const created = await send(page, creation, "201 Created");
    await created.getByText('"Lisbon office"').last().waitFor();
    await picture(page, `${name}-created`);
    await page.keyboard.press("Escape");

    await creation.locator(".scalar-code-copy").first().click();
    const curl = await page.evaluate<string>("navigator.clipboard.readText()");
    const { stdout } = await run("sh", ["-c", `${curl} --silent`]);
    assert.match(stdout, /^\{"id":"ipp_/);

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("create");
    const found = page.getByRole("option").filter({ hasText: "Create " });
    await found.first().waitFor();
    assert.equal(await found.count(), (await creations()).length);
    await picture(page, `${name}-search`);
    assert.deepEqual(await violationsIn(page, "[role=dialog]"), []);
    await page.keyboard.press("Escape");

    await page.evaluate("scrollTo(0, 0)");
    await picture(page, `${name}-top`);
    const code = page.locator(".introduction-section pre code").first();
    if (width < 800)
      assert.ok(
        await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
        "the quickstart fits",
      );
    assert.deepEqual(complaints, []);
    await page.close();
  });

/** Search queries, and the title of the first result. */
const searches: [query: string, first: string][] = [
  ["allowlist", "Create an IP policy"],
  ["audit log", "List events"],
  ["block an ip", "Create an IP policy rule"],
  ["bulk", "Run a transaction"],
  ["canary", "Create a weighted backend"],
  ["dead letter", "List dead letters of an event destination"],
  ["delete policy", "Delete an IP policy"],
  ["domain", "Create an HTTPS edge"],
  ["firewall", "Create an IP policy"],
  ["gzip", "Replace the compression module of an HTTPS edge route"],
  ["health", "Check the service's health"],
  ["import rules", "Replace the rules of an IP policy"],
  ["IpPoliciesCreate", "Create an IP policy"],
  ["load balancing", "Create a weighted backend"],
  ["maintenance page", "Create an HTTP response backend"],
  ["mTLS", "Replace the mutual TLS module of a TLS edge"],
  ["rate limit", "Rate limits"],
  ["redirect", "Create an HTTP response backend"],
  ["revoke key", "Delete an API key"],
  ["roll back", "List events"],
  ["rotate key", "Create an API key"],
  ["service account", "Create a bot user"],
  ["ssl", "Create a TLS edge"],
  ["undo", "Create a plan"],
  ["webhook secret", "Create an event destination"],
  ["who may connect", "Replace the IP restriction module of a TCP edge"],
];

test("the search returns the intended operation first", async () => {
  const { page, complaints } = await open(1440, "light");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox");
  const first = page.getByRole("option").first();
  const found: [string, string][] = [];
  for (const [query] of searches) {
    // A query without matches empties the list, so no result of the previous query remains.
    await field.fill("xqzxqz");
    await page.getByText("No results found").waitFor();
    await field.fill(query);
    await first.waitFor();
    // An icon, "Operation:", the title, the path.
    const [, , title = ""] = (await first.innerText()).split("\n");
    found.push([query, title.trim()]);
  }
  assert.deepEqual(found, searches);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the quickstart works as written, with a key", async () => {
  const { info } = await openApi();
  const [, script = ""] = /```sh\n([^]*?)```/.exec(info.description) ?? [];
  const withKey = script.replace("<API_KEY>", service.key);
  assert.notEqual(withKey, script);
  const { stdout } = await run("sh", ["-euc", withKey]);
  const [health = "", rule = "", access = ""] = stdout.trim().split("\n");
  assert.equal(JSON.parse(health).status, "ok");
  assert.match(JSON.parse(rule).id, /^ipr_/);
  assert.equal(JSON.parse(access).allowed, true);
  const calls = script.match(/^(?:\w+=\$\()?call /gm) ?? [];
  assert.equal(calls.length, 4);
});

/** Targets of links that are not among the pages with text. */
const NOT_TEXT = new Set([
  "/docs",
  "/docs/guides",
  "/docs/reference",
  "/console",
  "/openapi.json",
  "/llms.txt",
  "/mcp",
]);

test("guides and reference are pages that fit a phone, light and dark, and their links lead somewhere", async () => {
  const { info } = await openApi();
  const { page, complaints } = await newReader(390, "light");
  const anchors = new Map<string, Set<string>>();
  const links: [from: string, to: string][] = [];
  for (const { name, title } of guides) {
    const link = `[${title}](${service.origin}/docs/guides/${name})`;
    assert.ok(info.description.includes(link), `${name} is linked`);
  }
  const pages = [
    ...guides.map(({ name, title }) => ({ name, title, path: `/docs/guides/${name}` })),
    ...(await parts()).map(({ name, title }) => ({ name, title, path: `/docs/reference/${name}` })),
  ];
  for (const { name, title, path } of pages) {
    await page.goto(service.origin + path);
    assert.match(await page.title(), new RegExp(`^${title}`));
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390, name);
    assert.deepEqual(await violationsIn(page, "html"), [], name);
    await picture(page, `390-light${path.replaceAll("/", "-")}`);
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
    anchors.set(path, new Set(ids));
    const targets = await page.evaluate<string[]>("[...document.links].map(({ href }) => href)");
    links.push(...targets.map((to): [string, string] => [name, to]));
    // The reference has the style sheet and the frame of the guides.
    if (path.startsWith("/docs/reference/")) continue;
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await violationsIn(page, "html", ["color-contrast"]), [], `${name}, dark`);
    await picture(page, `390-dark${path.replaceAll("/", "-")}`);
    await page.emulateMedia({ colorScheme: "light" });
  }
  for (const [from, to] of links) {
    const { origin, pathname, hash } = new URL(to);
    if (origin !== service.origin || NOT_TEXT.has(pathname)) continue;
    const ids = anchors.get(pathname);
    assert.ok(ids && (hash === "" || ids.has(decodeURIComponent(hash.slice(1)))), `${from}: ${to}`);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a link to an operation shows its text while Scalar is still loading", async () => {
  const { page } = await newReader(1440, "light");
  // Scalar's script never arrives.
  await page.route("**/scalar.js", () => {});
  for (const { name, text } of await parts()) {
    const [, method, path, summary = ""] = /^### ([A-Z]+) (\S+): (.*)$/m.exec(text) ?? [];
    if (method === undefined) continue;
    await page.goto("about:blank");
    await page.goto(`${service.origin}/docs#tag/${name}/${method}${path}`, { waitUntil: "commit" });
    const heading = page.getByRole("heading", { name: summary, exact: true });
    await heading.waitFor();
    const { y } = (await heading.boundingBox()) ?? {};
    assert.ok(y !== undefined && y > -1 && y < 900, `${summary} is at ${y}`);
  }
  await page.close();
});

test("Scalar's page replaces the text, at the same operation, and a link to nothing leads to the whole page", async () => {
  const { page, complaints } = await newReader(1440, "light");
  await page.goto(`${service.origin}/docs#tag/tls-edges/PATCH/edges/tls/{id}`);
  await page.locator(".references-rendered a[href*='/']").first().waitFor();
  await page.locator("#text").waitFor({ state: "detached" });
  assert.equal(await page.locator("h3", { hasText: "Update a TLS edge" }).count(), 1);
  assert.deepEqual(complaints, []);
  await page.goto("about:blank");
  await page.goto(`${service.origin}/docs#tag/no-such-tag`);
  await page.locator(".references-rendered a[href*='/']").first().waitFor();
  await page.close();
});

test("the folders of guides and reference lead to their first pages", async () => {
  for (const [folder, first] of [
    ["guides", "https"],
    ["reference", "introduction"],
  ])
    for (const path of [`/docs/${folder}`, `/docs/${folder}/`]) {
      const response = await fetch(service.origin + path);
      assert.deepEqual([response.status, new URL(response.url).pathname], [200, `/docs/${folder}/${first}`]);
    }
});

test("the list of guides is open beside the text, and closed above it on a phone", async () => {
  for (const [width, isShown] of [
    [1440, true],
    [390, false],
  ] as const) {
    const { page } = await newReader(width, "light");
    await page.goto(`${service.origin}/docs/guides/https`);
    const other = page.locator(".contents").getByRole("link", { name: "Traffic policies" });
    assert.equal(await other.isVisible(), isShown, String(width));
    if (!isShown) await page.locator(".contents summary").click();
    await other.click();
    await page.waitForURL("**/docs/guides/policies");
    await page.close();
  }
});

test("a reader finds a section of another guide, and copies a command", async () => {
  const { page, complaints } = await newReader(1440, "light");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${service.origin}/docs/guides/https`);
  const found = page.locator("search a");
  const search = async (query: string, title: string, of: string): Promise<void> => {
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill(query);
    await found.first().filter({ hasText: title }).waitFor();
    assert.equal(await found.first().innerText(), `${title}\n${of}`);
  };
  await search("revocation", "Revocation", "API keys");
  // Words of the text, not of a heading.
  await search("systemd", "An agent", "An HTTPS edge, step by step");
  await search("create tcp", "Create a TCP edge", "TCP edges");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/reference/tcp-edges#POST/edges/tcp");
  await page.goBack();
  await page.getByRole("searchbox").fill("xqzxqz");
  await page.getByText("Nothing found").waitFor();
  const block = page.locator(".cmd", { hasText: "mkdir -p local/certificates local/https" }).first();
  await block.getByRole("button", { name: "Copy" }).click();
  await block.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(
    await page.evaluate<string>("navigator.clipboard.readText()"),
    /^mkdir -p local\/certificates/,
  );
  assert.deepEqual(
    await page.locator(".sections a").allTextContents(),
    (await readFile("docs/https.md", "utf8")).match(/(?<=^## ).*$/gm),
  );
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the list of sections marks the one that is read, and an operation leads to the page that sends it", async () => {
  const { page, complaints } = await newReader(1440, "light");
  const current = page.locator(".sections [aria-current]");
  await page.goto(`${service.origin}/docs/reference/ip-policies`);
  await page.evaluate("document.getElementById('DELETE/ip_policies/{id}').scrollIntoView()");
  await current.getByText("Delete an IP policy").waitFor();
  await page.locator(".sections").getByRole("link", { name: "Update an IP policy" }).click();
  await current.getByText("Update an IP policy").waitFor();
  assert.equal(await current.count(), 1);
  const copy = page.locator("main .cmd", { hasText: "curl -X POST" }).first();
  await copy.getByRole("button", { name: "Copy" }).click();
  await copy.getByRole("button", { name: "Copied" }).waitFor();
  const command = await page.evaluate<string>("navigator.clipboard.readText()");
  const { stdout } = await run("sh", ["-c", `${command} --silent`], {
    env: { ...process.env, API: service.origin, API_KEY: service.key },
  });
  assert.match(stdout, /^\{"id":"ipp_/);
  await page.getByRole("link", { name: "Try it" }).first().click();
  await page.waitForURL("**/docs#tag/ip-policies/POST/ip_policies");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("every example of the reference is a command that a shell can read", async () => {
  let commands = 0;
  for (const { name } of await parts()) {
    const html = await (await fetch(`${service.origin}/docs/reference/${name}`)).text();
    for (const [, command = ""] of html.matchAll(/<code class="language-sh">(curl [^<]*)<\/code>/g)) {
      commands += 1;
      const text = Object.entries({
        "&quot;": '"',
        "&#39;": "'",
        "&lt;": "<",
        "&gt;": ">",
        "&amp;": "&",
      }).reduce((sum, [entity, sign]) => sum.replaceAll(entity, sign), command);
      const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\n' "$#" "$@"; }; ${text}`]);
      const [count, ...given] = stdout.trimEnd().split("\n");
      const body = given.slice(given.indexOf("-d") + 1).join("\n");
      assert.ok(Number(count) >= 5, text);
      if (given.includes("-d")) assert.doesNotThrow(() => JSON.parse(body), text);
    }
  }
  assert.equal(commands, operations(await openApi()).length);
});

test("guides and reference have the theme that was chosen in the console", async () => {
  const { page } = await newReader(1440, "light");
  await page.addInitScript('localStorage.setItem("theme", "dark")');
  await page.goto(`${service.origin}/docs/guides/api`);
  assert.equal(await page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark");
  await page.goto(`${service.origin}/docs`);
  await page.locator("body.dark-mode").waitFor();
  await page.close();
});

test("/favicon.ico is an icon that needs no key, and the pages link to an icon", async () => {
  const icon = await fetch(`${service.origin}/favicon.ico`);
  assert.equal(icon.status, 200);
  assert.match(icon.headers.get("Content-Type") ?? "", /^image\/(?:x-icon|vnd\.microsoft\.icon)$/);
  assert.equal(icon.headers.get("X-Content-Type-Options"), "nosniff");
  const bytes = new Uint8Array(await icon.arrayBuffer());
  assert.deepEqual(Buffer.from(bytes.slice(0, 4)), Buffer.from([0, 0, 1, 0]));
  for (const path of ["/docs", "/docs/guides/api"]) {
    const page = await (await fetch(service.origin + path)).text();
    const [, href = ""] = /<link rel="icon" href="([^"]+)"/.exec(page) ?? [];
    assert.equal((await fetch(service.origin + href)).headers.get("Content-Type"), "image/svg+xml");
  }
});

test("the page can only load from its own origin, and only run its own scripts", async () => {
  for (const path of ["/docs", "/docs/scalar.js", "/docs/guides.js", "/docs/guides/api"]) {
    const policy = (await fetch(service.origin + path)).headers.get("Content-Security-Policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';/);
    assert.doesNotMatch(policy.replace("style-src 'self' 'unsafe-inline'", ""), /unsafe|https?:|\*/);
  }
});

test("Scalar is served with its license", async () => {
  const licence = await fetch(`${service.origin}/docs/scalar-license.txt`);
  assert.match(await licence.text(), /MIT License[^]*Scalar/);
});

/** The parts of the reference. */
async function parts(): Promise<ReferencePart[]> {
  const response = await fetch(`${service.origin}/openapi.json`);
  return referenceParts(await response.text(), service.origin);
}

interface OpenApi {
  info: { description: string };
  paths: Record<
    string,
    Record<string, { operationId: string; summary: string; parameters: { name?: string }[] }>
  >;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}
const openApi = async (): Promise<OpenApi> => (await fetch(`${service.origin}/openapi.json`)).json();
const operations = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
const creations = async () =>
  operations(await openApi()).filter(({ summary }) => summary.startsWith("Create "));

test("/llms.txt contains the whole reference as Markdown", async () => {
  const response = await fetch(`${service.origin}/llms.txt`);
  assert.equal(response.headers.get("Content-Type"), "text/plain; charset=utf-8");
  const text = await response.text();
  assert.match(text, /^# Edge Configuration API, version 2\n\n> /);
  assert.doesNotMatch(text, /undefined|\[object|origin\.invalid|<\w+>.*<\/\w+>/);
  const sections = Array.from(text.matchAll(/^## (.*)$/gm), ([, title]) => title);
  assert.deepEqual([sections[0], sections.at(-1)], ["Quickstart", "Errors"]);

  const document = await openApi();
  const section = (title: string): string => {
    const [, found] = text.split(`\n### ${title}\n`);
    assert.ok(found !== undefined, `there is a section ${title}`);
    return found.split("\n### ")[0] ?? "";
  };
  for (const { method, path, summary, parameters } of operations(document)) {
    const about = section(`${method} ${path}: ${summary}`);
    assert.match(about, /^- 20\d: /m);
    assert.match(about, new RegExp(`^- example: \`${method} /`, "m"));
    for (const { name } of parameters)
      if (name !== undefined) assert.ok(about.includes(`\`${name}\``), `${path} ${name}`);
  }
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    const about = section(name);
    for (const member of Object.keys(properties))
      assert.ok(about.includes(`- \`${member}\` `), `${name} ${member}`);
  }
  assert.match(section("POST /backends/failover: Create a failover backend"), /400 `ERR_UNKNOWN_REFERENCE`/);
  assert.match(section("DELETE /backends/failover/{id}: Delete a failover backend"), /409 `ERR_IN_USE`/);
  assert.match(section("IpPolicyCreate"), /- `description` string, maxLength 255: /);

  const page = await (await fetch(`${service.origin}/docs`)).text();
  assert.match(page, /<link rel="alternate" type="text\/markdown" href="\/llms\.txt"/);
  assert.match(page, /<noscript>[^]*<a href="\/llms\.txt">/);
});

test("every link from the console to the documentation leads to a page", async () => {
  const { stdout } = await run("git", ["grep", "-hoE", '"/docs[^"]*"', "--", "packages/console/src"]);
  const paths = new Set([...stdout.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path));
  assert.ok(paths.size > 0);
  for (const path of paths) assert.equal((await fetch(`${service.origin}${path}`)).status, 200, path);
});

test("the headings of all tables begin with a capital letter", async () => {
  for (const name of pages)
    for (const [, heading = ""] of (await readFile(name, "utf8")).matchAll(/^(\|.*)\n\| *:?-/gm))
      assert.doesNotMatch(heading, /\| *[a-z]/, name);
});
