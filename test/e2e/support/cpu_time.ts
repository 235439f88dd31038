import type { Browser, CDPSession, Page } from "playwright-core";
import { executablePath } from "./browser.ts";

/*
 * How long a page computes, on the computer that budgets are for: the machine of CI while nothing else uses its cores. The CPU time of
 * the page's main thread is compared with that of a fixed piece of work in the same browser, because a slow or busy machine slows both.
 */

/**
 * Seconds of CPU time that {@link WORK} takes on the computer that budgets are for: the least of 24 runs was 0.82. Chromium without a window
 * needs less: on another computer, the least of six runs was 0.77, and that of Chromium 0.94.
 */
const STANDARD = executablePath.endsWith("headless-shell") ? 0.66 : 0.8;

/** Objects, strings and elements, as in pages. */
const WORK = `(() => {
  for (let round = 0; round < 10; round += 1) {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ index, name: "row " + (index * 7919) % 2003 }));
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    const list = document.createElement("ul");
    for (const { name } of JSON.parse(JSON.stringify(rows)))
      list.appendChild(document.createElement("li")).textContent = name;
    document.body.append(list);
    list.getBoundingClientRect();
    list.remove();
  }
})()`;

/** Seconds of CPU time that the main thread of a page has used. */
async function usedBy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  const used = metrics.find(({ name }) => name === "TaskDuration")?.value;
  if (used === undefined) throw new Error("The browser does not report TaskDuration.");
  return used;
}

/** Seconds of CPU time that each action uses in a page, on this machine. */
async function secondsHere(page: Page, actions: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const seconds: number[] = [];
  for (const action of actions) {
    const begin = await usedBy(session);
    await action();
    seconds.push((await usedBy(session)) - begin);
  }
  await session.detach();
  return seconds;
}

/** Resolves to the seconds of CPU time that each action, one after the other, uses in a page of a browser. */
export async function cpuSeconds(
  browser: Browser,
  page: Page,
  actions: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const seconds = await secondsHere(page, actions);
  const blank = await browser.newPage();
  const [work = NaN] = await secondsHere(blank, [() => blank.evaluate(WORK)]);
  await blank.close();
  return seconds.map((each) => (each * STANDARD) / work);
}
