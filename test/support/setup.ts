import { vi } from "vitest";
import { emptied } from "./emptied.ts";

// Test files share a Worker (see vitest.config.ts), but each file gets its own modules, because they hold what an
// isolate caches (keys, the epoch) and the clock.
vi.resetModules();
await emptied();
