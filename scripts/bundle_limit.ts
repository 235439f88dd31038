// Fails when the bundle that would be deployed is larger than it may be: part of npm run check.
import { bundle } from "../test/bench/bundle.ts";

/** Bytes, gzipped. Lower it when the bundle has become smaller; raise it only with the reason in the commit. */
const LIMIT = 95_000;

const { gzipBytes, byPackage } = await bundle({ path: "src/index.ts" });
if (gzipBytes > LIMIT) {
  console.error(`The bundle has ${gzipBytes} bytes gzipped; it may have ${LIMIT}. By package, not gzipped:`);
  for (const [name, bytes] of byPackage) console.error(`  ${name} ${bytes}`);
  process.exitCode = 1;
}
