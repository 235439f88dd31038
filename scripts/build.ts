// Puts together what is served as static assets: our page of the documentation and Swagger UI, which comes from npm.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const target = join("dist", "assets");
const swaggerUi = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "docs"), { recursive: true });
for (const file of ["docs.html", "_headers"]) cpSync(join("docs", file), join(target, file));
for (const file of ["docs.js", "docs.css"]) cpSync(join("docs", file), join(target, "docs", file));
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png", "LICENSE", "NOTICE"])
  cpSync(join(swaggerUi, file), join(target, "docs", file));
