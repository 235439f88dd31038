import { vi } from "vitest";
import { emptied } from "./emptied.ts";

// Test files share a Worker (see vitest.config.ts), but each gets its own modules, because these hold what an isolate
// caches (keys, the epoch) and the clock.
vi.resetModules();
await emptied();

// Two statements with the same shape would share the first one's text: in tests, every text is built again and compared.
const { textCheck } = await import("../src/db/statements.ts");
textCheck.isOn = true;
