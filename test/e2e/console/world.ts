import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { after, before } from "node:test";
import axeCore from "axe-core";
import type { components, paths } from "edge-configuration-client";
import createClient, { type Client } from "openapi-fetch";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startBrowser } from "../support/browser.ts";
import { listen } from "../support/ports.ts";
import { type Service, startService } from "../support/service.ts";

/*
 * The service with the seed, and browsers that open the console. All test files of this folder share them.
 */

/** What a test can use. */
interface World {
  service: Service;
  /** Every webhook arrives here. */
  receiver: Receiver;
  browser: Browser;
  api: Client<paths>;
}

let starting: Promise<World> | undefined;

/** A receiver of webhooks. */
interface Receiver {
  /** The status of every answer; a test changes it. */
  status: number;
  /** The types of the events that were accepted. */
  accepted: string[];
  stop: () => void;
}

/** Starts a receiver on loopback; returns it with its origin. */
async function startReceiver(): Promise<{ receiver: Receiver; origin: string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { status } = receiver;
      if (status < 300) {
        const { event_type } = JSON.parse(Buffer.concat(chunks).toString()) as { event_type: string };
        receiver.accepted.push(event_type);
      }
      response.writeHead(status).end();
    });
  });
  const receiver: Receiver = { status: 204, accepted: [], stop: () => server.close() };
  return { receiver, origin: `http://127.0.0.1:${await listen(server)}` };
}

async function start(): Promise<World> {
  const { receiver, origin } = await startReceiver();
  const targets = { TARGET_ENDPOINTS: JSON.stringify({ webhook: origin }) };
  const service = await startService(undefined, targets, { isDirect: true });
  execFileSync(process.execPath, ["scripts/seed.ts", "--url", service.origin, "--key", service.key], {
    stdio: "ignore",
  });
  const browser = await startBrowser();
  return { service, receiver, browser, api: clientWith(service.key, service.origin) };
}

/** A client of the API with a key. */
export const clientWith = (key: string, baseUrl: string): Client<paths> =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}`, "Service-Version": "2" } });

/** The world, which is started once for all test files. */
export const world = (): Promise<World> => (starting ??= start());

before(world, { timeout: 300_000 });
after(async () => {
  const { service, receiver, browser } = await world();
  await browser.close();
  await service.stop();
  receiver.stop();
});

/** A page of the browser, and what went wrong in it. */
export interface Reader {
  page: Page;
  /** Errors in the console, violations of the policy, requests to other origins. */
  complaints: string[];
  close: () => Promise<void>;
}

/** A page whose cookies, cache and settings are its own. */
interface LoneReader extends Reader {
  context: BrowserContext;
}

/** Opens a page that is not signed in. */
export async function newReader(width?: number, colorScheme?: "light" | "dark"): Promise<LoneReader> {
  const { browser } = await world();
  const context = await browser.newContext();
  return { ...(await pageIn(context, width, colorScheme)), context, close: () => context.close() };
}

async function pageIn(
  context: BrowserContext,
  width = 1440,
  colorScheme: "light" | "dark" = "light",
): Promise<Reader> {
  const { service } = await world();
  const complaints: string[] = [];
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => {
    const isWhoami = message.location().url.endsWith("/whoami");
    if (message.type() !== "info" && !isWhoami)
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${service.origin}/`)) complaints.push(`foreign request: ${request.url()}`);
  });
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error("violates the policy:", violatedDirective, blockedURI))`,
  );
  return { page, complaints, close: () => page.close() };
}

/** Signs in with a key, by default the operator's. */
export async function signIn({ page }: Reader, key?: string): Promise<void> {
  const { service } = await world();
  await page.goto(`${service.origin}/console`);
  await page.getByLabel("API key").fill(key ?? service.key);
  await page.keyboard.press("Enter");
  await overview(page);
}

/** Waits for the overview. @throws with the page's text if it does not appear */
const overview = (page: Page): Promise<void> =>
  page
    .getByRole("heading", { level: 1, name: /place|Serve your first/ })
    .waitFor()
    .catch(async (cause: unknown) => {
      throw new Error(`The overview did not appear: ${await page.locator("body").innerText()}`, { cause });
    });

/** The browser's state while the operator is signed in: only 20 sign-ins a minute are accepted. */
let operator: Promise<LoneReader> | undefined;

const asOperator = (): Promise<LoneReader> =>
  (operator ??= newReader().then(async (reader) => {
    await signIn(reader);
    // An open page would read everything that tests change.
    await reader.page.close();
    return reader;
  }));

/** Opens the page {@link NOWHERE}, signed in as the operator, with cookies, cache and settings that a test may change. */
export async function signedInAlone(width?: number, colorScheme?: "light" | "dark"): Promise<LoneReader> {
  const { context } = await asOperator();
  const reader = await newReader(width, colorScheme);
  await reader.context.addCookies(await context.cookies());
  await goNowhere(reader);
  return reader;
}

/**
 * Opens a page that is signed in. With a key, it is the overview, in a browser's state of its own. Without a key, it is the page
 * {@link NOWHERE}, signed in as the operator: all these pages share a browser's state, and so what they have loaded.
 */
export async function signedIn(
  width?: number,
  colorScheme?: "light" | "dark",
  key?: string,
): Promise<Reader> {
  if (key === undefined) {
    const { context } = await asOperator();
    const reader = await pageIn(context, width, colorScheme);
    await goNowhere(reader);
    return reader;
  }
  const reader = await newReader(width, colorScheme);
  await signIn(reader, key);
  return reader;
}

/** A page that asks the service for nothing but who is there. */
const NOWHERE = "#/nowhere";

async function goNowhere({ page }: Reader): Promise<void> {
  await page.goto(`${(await world()).service.origin}/console${NOWHERE}`);
  await page.locator("h1").waitFor();
}

/** Makes a key with a role. */
export async function keyWith(role: "viewer" | "planner" | "editor" | "admin" | "agent"): Promise<string> {
  const { api } = await world();
  const { data } = await api.POST("/api_keys", { body: { role, description: `a ${role} of the tests` } });
  if (!data?.token) throw new Error("no key");
  return data.token;
}

/** Goes to a page of the console, and waits until it has loaded. */
export async function open({ page }: Reader, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.locator("h1").waitFor();
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
}

/** Comes back to the page's tab, so that it reads the event log at once. Otherwise, it does so within five seconds. */
export const comeBack = (page: Page): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

/** Violations of axe's accessibility rules on the whole page. @param rules the rules to check, if not all */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  // The page's Trusted Types do not allow `eval`, which the driver of the browser does not use. Compiling takes longer than a check.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeCore.source);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof axeCore };
    const { violations } = await axe.run({ resultTypes: ["violations"], ...(only && { runOnly: only }) });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  }, rules);
}

/**
 * Texts of the page's content that overlap, or that are cut without an ellipsis. What is fixed to the window can cover others.
 *
 * A script, as the types of the browser are not known here.
 */
const CRAMPED = `() => {
  const isFixed = (element) => element.closest(".head .actions, .wizard .actions, .pend, .menu, .hidden, [hidden]") !== null;
  const isClipped = (element) => {
    for (let one = element; one && one.tagName !== "MAIN"; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.display === "none" || style.clipPath !== "none" || style.visibility === "hidden") return true;
      if (one.tagName === "SVG" || one.tagName === "OPTION") return true;
    }
    return false;
  };
  const boxes = [];
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (textContent.trim() === "" || isFixed(parentElement) || isClipped(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const shortened = parentElement.closest(".cut, .policy, .ticks, .seg, pre, textarea");
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 2) continue;
      if (!shortened && (right > innerWidth + 1 || left < -1)) found.push("cut: " + textContent.trim());
      // What an ellipsis stands for takes no room.
      const limit = shortened ? shortened.getBoundingClientRect() : undefined;
      boxes.push({ node: walker.currentNode, text: textContent.trim(), left, right: limit ? Math.min(right, limit.right) : right, top, bottom });
    }
  }
  for (const element of document.querySelectorAll("main .cut"))
    if (element.clientWidth > 0 && element.clientWidth < 56 && element.scrollWidth > element.clientWidth + 1)
      found.push("crushed: " + element.textContent.trim());
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) {
      // A shortened text has a box of its own for the ellipsis.
      if (a.node === b.node) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 2 && height > 4) found.push("overlap: " + a.text + " | " + b.text);
    }
  return found;
}`;

/** Texts that overlap or are cut. */
export const crampedOn = (page: Page): Promise<string[]> => page.evaluate<string[]>(`(${CRAMPED})()`);

/** Saves a picture to the folder `SCREENSHOTS`, if that is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** The body of a successful response. */
export function must<T>({ data, error }: { data?: T; error?: components["schemas"]["Error"] }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Chooses an item of a menu. @param button the name of the button that opens it */
export async function choose(page: Page, button: string, item: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Waits until the effect of the reader's changes is shown. */
export async function reviewed(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1, name: /^Review [\d,]+ change/ }).waitFor();
  await page.locator(".lead").waitFor();
}

/** Confirms every warning of the open plan, applies it, and waits until it has been. */
export async function applyPlan(page: Page): Promise<void> {
  await reviewed(page);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: /^Apply/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();
}
