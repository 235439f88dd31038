import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the assets, which the Worker under test reads, as they follow from the source at this moment. */
export default function build(): void {
  execFileSync(process.execPath, [join("scripts", "build.ts")], { stdio: "inherit" });
}
