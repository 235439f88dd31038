import { vi } from "vitest";
import { emptied } from "./emptied.ts";

// Files share a worker (see vitest.config.ts): each has modules of its own all the same, as what an isolate remembers
// (keys, the epoch, the clock) is in them.
vi.resetModules();
await emptied();

// Two statements of one shape would share the text of the first: every text is written again and compared.
const { textCheck } = await import("../src/db/statements.ts");
textCheck.isOn = true;
