import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Service, startService } from "./service.ts";

/*
 * The documentation page in a real browser. Set SCREENSHOTS to a folder to save screenshots there.
 */

const run = promisify(execFile);

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

/** Opens the documentation page; `complaints` collects console messages, errors and requests to other origins. */
async function open(
  width: number,
  colorScheme: "light" | "dark",
): Promise<{ page: Page; complaints: string[] }> {
  const complaints: string[] = [];
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${service.origin}/`) && !url.startsWith("data:"))
      complaints.push(`foreign request: ${url}`);
  });
  await page.goto(`${service.origin}/`);
  await page.waitForSelector(".opblock");
  return { page, complaints };
}

const screenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["SCREENSHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: false });
};

for (const width of [1280, 390]) {
  test(`a reader at ${width} pixels enters a key, creates an IP policy and copies a working curl command`, async () => {
    const { page, complaints } = await open(width, "light");
    assert.equal(new URL(page.url()).pathname, "/docs");
    await screenshot(page, `${width}-top`);

    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator(".auth-container input").fill(service.key);
    await page.locator(".auth-btn-wrapper button.authorize").click();
    await page.locator(".auth-btn-wrapper button.btn-done").click();

    const operation = page.locator("#operations-IP_policies-IpPoliciesCreate");
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table");
    await answer.locator("tbody .response-col_status", { hasText: "201" }).waitFor();
    assert.match(await answer.innerText(), /"description": "Lisbon office"/);
    await operation.locator(".curl-command").evaluate((element) => element.scrollIntoView());
    await screenshot(page, `${width}-answer`);

    const curl = await operation.locator(".curl-command .curl").innerText();
    const { stdout } = await run("sh", ["-c", `${curl.replaceAll("\u00a0", " ")} --silent`]);
    assert.match(stdout, /^\{"id":"ipp_/);

    assert.equal(
      await page.evaluate("document.documentElement.scrollWidth"),
      width,
      "nothing is wider than the page",
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

test("the error of a refused request is shown", async () => {
  const { page } = await open(1280, "light");
  const operation = page.locator("#operations-IP_policies-IpPoliciesCreate");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table");
  await answer.locator("tbody .response-col_status", { hasText: "401" }).waitFor();
  assert.match(await answer.innerText(), /ERR_UNAUTHENTICATED/);
  await page.close();
});

test("the page follows the system's dark mode and lists every error", async () => {
  const { page, complaints } = await open(1280, "dark");
  assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(28, 32, 34)");
  await page.locator("details summary").first().click();
  assert.match(await page.locator("details").first().innerText(), /ERR_UNKNOWN_REFERENCE/);
  await screenshot(page, "1280-dark");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the Content-Security-Policy allows neither other origins nor inline code", async () => {
  for (const path of ["/docs", "/docs/swagger-ui.css"]) {
    const policy = (await fetch(service.origin + path)).headers.get("Content-Security-Policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  }
});
