// Fails if the deployed bundle is larger than its limit. Part of npm run check.
import { bundle } from "../test/bench/bundle.ts";

/** Gzipped bytes. Lower it when the bundle gets smaller. Raise it only with a reason in the commit message. */
const LIMIT = 319_400;

const { gzipBytes, byPackage } = await bundle({ path: "src/index.ts" });
if (gzipBytes > LIMIT) {
  console.error(`The gzipped bundle has ${gzipBytes} bytes. The limit is ${LIMIT}. By package, not gzipped:`);
  for (const [name, bytes] of byPackage) console.error(`  ${name} ${bytes}`);
  process.exitCode = 1;
}
