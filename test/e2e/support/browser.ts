import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Chromium without a window needs half the CPU time of Chromium that draws one nobody sees. */
const HEADLESS = "/usr/bin/chromium-headless-shell";

/** The program: CHROMIUM names another one. */
export const executablePath =
  process.env["CHROMIUM"] ?? (existsSync(HEADLESS) ? HEADLESS : "/usr/bin/chromium");

/** Starts Chromium, which only talks to the pages that it opens. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // All pages share a process, because starting one takes as long as loading a page.
      "--renderer-process-limit=1",
    ],
  });
