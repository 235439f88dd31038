import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the assets that the Worker under test serves from the current source. */
export default function build(): void {
  execFileSync(process.execPath, [join("scripts", "build.ts")], { stdio: "inherit" });
}
