import fc from "fast-check";
import { vi } from "vitest";
import { CI_SEED } from "./effort.ts";
import { emptied } from "./emptied.ts";

// All copies of the library share these settings.
if (CI_SEED !== undefined) fc.configureGlobal({ seed: CI_SEED });

// Test files share a Worker (see vitest.config.ts), but each file gets its own modules, because they hold what an
// isolate caches (keys, the epoch) and the clock.
vi.resetModules();
await emptied();
