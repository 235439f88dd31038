import type { Browser, CDPSession, Page } from "playwright-core";

/*
 * How much a page computes, by the CPU time of its main thread, as a multiple of the time that a fixed piece of work takes in the same
 * browser: a slow or busy machine slows both.
 */

/** Pieces of work at a time. */
const ROUNDS = 10;

/** Objects, strings and elements, as in pages. */
const WORK = `(() => {
  for (let round = 0; round < ${ROUNDS}; round += 1) {
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

/** Seconds of CPU time of a page's main thread. */
async function secondsOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

async function during(page: Page, action: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const begin = await secondsOf(session);
  await action();
  const seconds = (await secondsOf(session)) - begin;
  await session.detach();
  return seconds;
}

/** Resolves to how many pieces of work an action costs in a page of a browser. */
export async function workOf(browser: Browser, page: Page, action: () => Promise<unknown>): Promise<number> {
  const seconds = await during(page, action);
  const blank = await browser.newPage();
  const taken = await during(blank, () => blank.evaluate(WORK));
  await blank.close();
  return (ROUNDS * seconds) / taken;
}
