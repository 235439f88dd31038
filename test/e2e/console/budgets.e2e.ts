import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { newReader, open, type Reader, signedIn, world } from "./world.ts";

/*
 * How fast the console is on a slow computer with a slow line: CPU 4 times slower, 10 Mbit/s, 40 ms of latency. The page itself
 * measures, because the throttled browser also responds to the test slowly. The best of several attempts counts: other processes on
 * the machine can only make an attempt slower.
 */

const ATTEMPTS = 5;

/**
 * The speed of the slow computer, in rounds of {@link SPEED} a second. The machine of CI reaches 16,000 while nothing else uses its
 * cores, and 9,000 at other times, when 4 times slower would be another computer.
 */
const SLOW = 16_000 / 4;

/** Measures the speed of this computer in the page: the best of a few short runs, the first of which are compiled. */
const SPEED = `(() => {
  let best = 0;
  for (let run = 0; run < 6; run += 1) {
    const begin = performance.now();
    let rounds = 0;
    while (performance.now() - begin < 50) {
      let text = "";
      for (let n = 0; n < 10000; n += 1) text += "a";
      if (text.length === 10000) rounds += 1;
    }
    best = Math.max(best, (rounds * 1000) / (performance.now() - begin));
  }
  return best;
})()`;

/** Slows the page down, to the same speed whatever else this computer is doing. */
async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const rate = Math.min(4, Math.max(1, (await page.evaluate<number>(SPEED)) / SLOW));
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  const bytesPerSecond = 10_000_000 / 8;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/**
 * Notes when an element that matches `selector`, and whose text matches `text`, is first painted after `begin()`.
 * Times are milliseconds since the page's navigation began.
 */
const watch = (selector: string, text: RegExp): string => `
  delete window.painted;
  (() => {
    const look = () => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})];
      if (!found.some((element) => ${text}.test(element.textContent))) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); }));
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  })();`;

/** Waits until the element of {@link watch} is painted. Returns when that was, in milliseconds. */
async function painted(page: Page): Promise<number> {
  for (;;) {
    const when = await page.evaluate<number | undefined>("window.painted");
    if (when !== undefined) return when;
    await sleep(100);
  }
}

/** Repeats a measurement until it is within the budget. @param budget in milliseconds */
async function within(name: string, budget: number, measure: () => Promise<number>): Promise<void> {
  const taken: number[] = [];
  while (taken.length < ATTEMPTS) {
    taken.push(Math.round(await measure()));
    if (Math.min(...taken) <= budget) return;
  }
  assert.fail(`${name} took ${taken.join(", ")} ms. The budget is ${budget} ms.`);
}

/** Opens the console, and measures when the element is painted. The window is closed. */
async function whenOpened(reader: Reader, selector: string, text: RegExp): Promise<number> {
  const { service } = await world();
  const { page, context } = reader;
  await slow(page);
  await page.addInitScript(watch(selector, text));
  await page.goto(`${service.origin}/console`);
  const milliseconds = await painted(page);
  await context.close();
  return milliseconds;
}

test("on a slow computer, the sign-in form is shown within a second", async () => {
  await within("The sign-in form", 1000, async () => whenOpened(await newReader(), "label", /API key/));
});

test("on a slow computer, the overview of the seed is shown within 1.8 seconds", async () => {
  const { page, context } = await signedIn();
  const cookies = await context.cookies();
  await page.close();
  await within("The overview", 1800, async () => {
    const reader = await newReader();
    await reader.context.addCookies(cookies);
    return whenOpened(reader, "h1", /entrance/);
  });
  await context.close();
});

test("on a slow computer, a page that is opened for the first time is shown within 200 ms", async () => {
  await within("The slowest page", 200, async () => {
    const { page, context } = await signedIn();
    // The scripts of all pages are loaded three seconds after the first page.
    await sleep(4500);
    await slow(page);
    const taken: number[] = [];
    for (const name of [
      "IP policies",
      "Edges",
      "Backends",
      "Authorities",
      "Changes",
      "Agents",
      "Deliveries",
    ]) {
      const clicked = await page.evaluate<number>(`(() => {
        ${watch("h1", new RegExp(`^${name}`))}
        const now = performance.now();
        [...document.querySelectorAll("nav a")].find((link) => link.textContent.includes("${name}")).click();
        return now;
      })()`);
      taken.push((await painted(page)) - clicked);
    }
    await context.close();
    return Math.max(...taken);
  });
});

test("on a slow computer, a keystroke in a filter is painted within 100 ms, in 95 of 100 cases", async () => {
  await within("A keystroke", 100, async () => {
    const reader = await signedIn();
    const { page, context } = reader;
    await open(reader, "#/edges");
    await slow(page);
    const filter = page.getByLabel("Filter edges and routes");
    await filter.focus();
    await page.evaluate(`
      window.taken = [];
      new PerformanceObserver((list) => window.taken.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "event", durationThreshold: 16 });`);
    const text = "shop.example.com admin";
    for (const key of text) {
      await page.keyboard.press(key);
      await sleep(50);
    }
    await sleep(500);
    // Events that are painted within 16 ms have no entry.
    const slower = (await page.evaluate<number[]>("window.taken")).toSorted((a, b) => b - a);
    await context.close();
    return slower[Math.floor(text.length * 0.05)] ?? 16;
  });
});
