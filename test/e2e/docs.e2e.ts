import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import axe from "axe-core";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { type Service, startService } from "./service.ts";

/*
 * The documentation page in a real browser. Set SCREENSHOTS to a folder to save screenshots there.
 */

const run = promisify(execFile);

/** Seconds that a processor worked on each page until its first operation was there. */
const waits: number[] = [];

let service: Service;
let browser: Browser;
before(async () => {
  service = await startService();
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});
after(async () => {
  await browser.close();
  await service.stop();
});

interface Reader {
  page: Page;
  /** What a reader's console and network should not show. */
  complaints: string[];
}

/** The page of the documentation, to which `/` leads, at the operation that creates an IP policy. */
async function open(width: number, colorScheme: "light" | "dark"): Promise<Reader> {
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
  page.setDefaultTimeout(15_000);
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error("violates the policy:", violatedDirective, blockedURI))`,
  );
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${service.origin}/#tag/ip-policies/POST/ip_policies`);
  await page.locator(".references-rendered a[href*='/']").first().waitFor();
  const { metrics } = await session.send("Performance.getMetrics");
  waits.push(metrics.find(({ name }) => name === "TaskDuration")?.value ?? Infinity);
  return { page, complaints };
}

/** The form for requests. */
const FORM = ".scalar-app-layout";

/** Sends the request of an operation with its example, and gives what shows the response of the awaited status. */
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

/** Violations inside Scalar's own elements that neither its configuration nor our style sheet can mend: rule, where, why. */
const OF_SCALAR = [
  ["label-content-name-mismatch", ".show-more", "its label names the collection, its text says Show More"],
  ["aria-required-attr", "[role=combobox]", "the search field does not say that its list is open"],
  ["landmark-no-duplicate-main", ".scalar-app-layout > main", "the form has a main of its own"],
  ["landmark-unique", ".scalar-app-layout > section", "so have its notifications"],
  ["aria-allowed-role", "[id^=headlessui-popover-button-scalar-client]", "buttons have the role none"],
  ["aria-prohibited-attr", "[id^=headlessui-popover-button-scalar-client]", "the same buttons"],
  ["presentation-role-conflict", "[id^=headlessui-popover-button-scalar-client]", "the same buttons"],
  ["aria-required-attr", ".code-input-lite__editor", "fields for headers are comboboxes without a list"],
  ["aria-input-field-name", ".cm-content", "the editor of the body has no name"],
  ["aria-valid-attr-value", ".scalar-client [aria-controls]", "a button names a list that is not there yet"],
  ["scrollable-region-focusable", ".cm-scroller", "the response scrolls, and is not focusable"],
] as const;

/** Violations of axe's rules of accessibility (https://dequeuniversity.com/rules/axe) in one element that are ours. */
async function violationsIn(page: Page, element: string): Promise<string[]> {
  await page.evaluate(axe.source);
  // Text that is still fading in has no contrast yet.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
      .map(({ finished }) => finished),
  )`);
  return page.evaluate(
    async ([element, ofScalar]) => {
      const { axe, document } = globalThis as unknown as {
        axe: { run: (element: string, options: axe.RunOptions) => Promise<axe.AxeResults> };
        document: { querySelector: (selector: string) => { matches: (selector: string) => boolean } | null };
      };
      const { violations } = await axe.run(element, { resultTypes: ["violations"] });
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
    [element, OF_SCALAR] as const,
  );
}

for (const width of [1280, 390])
  for (const scheme of ["light", "dark"] as const)
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
      assert.match(
        await readFile(".dev.vars.example", "utf8"),
        new RegExp(`^ROOT_API_KEY="${example}"$`, "m"),
      );
      const refused = await send(page, creation, "401 Unauthorized");
      await refused.getByText('"ERR_UNAUTHENTICATED"').waitFor();
      await picture(page, `${name}-refused`);
      assert.deepEqual(await violationsIn(page, FORM), []);
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
      assert.deepEqual(complaints, []);
      await page.close();
    });

test("the first operation is there after less than three seconds of work", () => {
  assert.ok(waits.length > 0 && waits.every((seconds) => seconds < 3), `seconds: ${waits.join(", ")}`);
});

test("the page may load from here only, and no script but its own", async () => {
  for (const path of ["/docs", "/docs/scalar.js", "/docs/docs.css"]) {
    const policy = (await fetch(service.origin + path)).headers.get("Content-Security-Policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';/);
    assert.doesNotMatch(policy.replace("style-src 'self' 'unsafe-inline'", ""), /unsafe|https?:|\*/);
  }
});

test("what is served of Scalar comes with its licence", async () => {
  const licence = await fetch(`${service.origin}/docs/scalar-license.txt`);
  assert.match(await licence.text(), /MIT License[^]*Scalar/);
});

interface OpenApi {
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

test("/llms.txt holds the whole reference as Markdown", async () => {
  const response = await fetch(`${service.origin}/llms.txt`);
  assert.equal(response.headers.get("Content-Type"), "text/plain; charset=utf-8");
  const text = await response.text();
  assert.match(text, /^# Edge Configuration API, version 2\n\n> /);
  assert.doesNotMatch(text, /undefined|\[object|origin\.invalid|<\w+>.*<\/\w+>/);

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
