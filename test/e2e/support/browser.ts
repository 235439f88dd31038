import { type Browser, chromium } from "playwright-core";

/** Starts Chromium, which only talks to the pages that it opens. CHROMIUM names another program. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
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
