import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startService } from "../support/service.ts";
import { reviewed, world } from "./world.ts";

/*
 * The pictures in README and docs/ show the console as it is. `PICTURES=update npm run test:console` takes new ones.
 */

/** The share of pixels that may differ: of ids, times and the port. */
const MOST_DIFFERENT = 0.03;

const file = (name: string): string => `docs/pictures/${name}.png`;

/** Compares two pictures in a page: a script, as the types of the browser are not known here. */
const COMPARE = `async ([first, second]) => {
  const pixels = async (data) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(first), await pixels(second)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if ([0, 1, 2].some((part) => Math.abs(a.data[i + part] - b.data[i + part]) > 48)) different += 1;
  return different / (a.width * a.height);
}`;

/** The share of pixels that differ between two pictures, by their colours. 1 if their sizes differ. */
const difference = async (page: Page, one: Buffer, other: Buffer): Promise<number> => {
  const pictures = JSON.stringify([one, other].map((picture) => picture.toString("base64")));
  return page.evaluate<number>(`(${COMPARE})(${pictures})`);
};

test("the pictures in README and docs/ show the console as it is", async (t) => {
  const { browser } = await world();
  const service = await startService(undefined, {}, { isDirect: true });
  t.after(() => service.stop());
  execFileSync(process.execPath, ["scripts/seed.ts", "--url", service.origin, "--key", service.key], {
    stdio: "ignore",
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  t.after(() => context.close());
  const page = await context.newPage();
  const comparing = await context.newPage();
  const wrong: string[] = [];
  const take = async (name: string): Promise<void> => {
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle");
    const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
    if (process.env["PICTURES"] === "update") writeFileSync(file(name), taken);
    const share = await difference(comparing, taken, readFileSync(file(name)));
    if (share > MOST_DIFFERENT) wrong.push(`${file(name)}: ${(100 * share).toFixed(1)} % of the pixels`);
  };
  await page.goto(`${service.origin}/console`);
  await page.getByLabel("API key").fill(service.key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /place/ }).waitFor();
  await take("overview");
  await page.getByRole("link", { name: "Map", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
  await take("map");
  await page.getByRole("link", { name: "IP policies" }).click();
  await page.getByRole("heading", { level: 1, name: /^IP policies/ }).waitFor();
  await page.getByRole("link", { name: /^Everybody except/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Everybody except/ }).waitFor();
  await take("policy");
  await page.getByRole("button", { name: "Remove 0.0.0.0/0" }).click();
  await page.getByRole("button", { name: "Add rules" }).click();
  await page.getByLabel("Rules, one per line").fill("203.0.112.0/22, allow, Porto office");
  await page.getByRole("button", { name: "Add 1 rule" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await take("review");
  assert.deepEqual(wrong, [], "PICTURES=update npm run test:console takes new pictures: look at them");
});
