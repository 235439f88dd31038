import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: ["./src/db/schema.ts", "./src/db/access_schema.ts", "./src/db/internal_schema.ts"],
  out: "./drizzle",
  breakpoints: false,
});
