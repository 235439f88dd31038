import { vi } from "vitest";
import { CI_SEED } from "./effort.ts";
import { emptied } from "./emptied.ts";

// Test files share a Worker (see vitest.config.ts), but each file gets its own modules, because they hold what an
// isolate caches (keys, the epoch) and the clock.
vi.resetModules();
// That is also true of fast-check, so each file's copy needs the seed.
if (CI_SEED !== undefined) (await import("fast-check")).default.configureGlobal({ seed: CI_SEED });
await emptied();
// The minute's run does more at some minutes. Tests that count its statements can run at any of them.
(await import("../../src/resources/traffic/traffic_hours.ts")).addingUp.at = [];
