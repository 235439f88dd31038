import { stripTypeScriptTypes } from "node:module";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { Response } from "miniflare";
import { defineConfig } from "vitest/config";

/** The settings that `npm run fuzz` passes to the fuzzers. */
const fuzz = Object.fromEntries(
  ["FUZZ_REQUESTS", "FUZZ_SEED", "FUZZ_PATH"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

const secrets = {
  ROOT_API_KEY: "root-key-of-the-tests",
  SEALING_KEYS: `one:${btoa("1".repeat(32))},two:${btoa("2".repeat(32))}`,
};
// Wrangler looks for the secrets that wrangler.toml requires, and warns when it finds none.
Object.assign(process.env, secrets);

/** Nothing leaves the machine: TARGET_ENDPOINTS sends the calls to every target here. */
const CLOSED_PORT = "http://127.0.0.1:9";
const targets = [
  "cloud_delivery_stream",
  "cloud_stream",
  "cloud_logs",
  "monitoring_vendor",
  "logs_ingestion",
  "object_storage",
  "webhook",
  "sts",
  "entra",
];

/**
 * Replaces types by spaces, so that errors name the line of the source, because Vitest applies no source maps inside
 * workerd. Vite removes imports together with their line breaks, and a module is evaluated one line further down. This
 * plugin makes up for both.
 */
const strippedTypes = {
  name: "stripped-types",
  enforce: "pre" as const,
  transform: (code: string, id: string) =>
    /\/(?:src|test)\/.*\.ts$/.test(id)
      ? { code: onItsLines(stripTypeScriptTypes(code)), map: null }
      : undefined,
};

const onItsLines = (code: string): string =>
  code
    .replace(
      /^import\s[^;]*;/gm,
      (text) => text.replace(/(?:\/\/.*)?\n/g, " ") + "\n".repeat(text.split("\n").length - 1),
    )
    .replace(/^(?!\/\/)(.*)\n/, "$1 ");

// Node emits a warning for it as long as it is experimental.
const emitWarning = process.emitWarning.bind(process);
Object.assign(process, {
  emitWarning: (...warning: Parameters<typeof emitWarning>) =>
    String(warning[0]).startsWith("stripTypeScriptTypes") ? undefined : emitWarning(...warning),
});

export default defineConfig(async () => ({
  oxc: false as const,
  plugins: [
    strippedTypes,
    cloudflareTest({
      main: "./src/index.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        outboundService: () => new Response(null, { status: 503 }),
        // The platform's own limiter, small enough to run into.
        ratelimits: { SMALL_LIMIT: { namespace_id: "9999", simple: { limit: 3, period: 60 } } },
        bindings: {
          ...secrets,
          TARGET_ENDPOINTS: JSON.stringify(Object.fromEntries(targets.map((name) => [name, CLOSED_PORT]))),
          MIGRATIONS: await readD1Migrations("drizzle"),
          ...fuzz,
          CI: String(process.env["CI"] === "true"),
        },
      },
    }),
  ],
  // A timeout is for tests that never end, not for a busy machine.
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    silent: "passed-only" as const,
    reporters: ["minimal"],
    // Bundled once: every test file imports them again, and they have hundreds of files. All that share a module are listed.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: [
            "zod",
            "zod/v4/core",
            "hono",
            "hono/hono-base",
            "hono/router/trie-router",
            "hono/factory",
            "hono/route",
            "hono/method-not-allowed",
            "drizzle-orm",
            "drizzle-orm/sqlite-core",
            "ipaddr.js",
            "fast-check",
            "aws4fetch",
          ],
        },
      },
    },
    tags: [
      { name: "thorough", description: "Tests that try many cases, and take long: npm run test:thorough" },
      { name: "large", description: "Long inputs, full tables and full pages: npm run test:large" },
    ],
    globalSetup: "./test/support/build.ts",
    // Each worker runs many files, with an empty database for each file. A worker per file takes twice as long.
    isolate: false,
    // The memory that each file leaves behind adds up: on two cores, the default of one worker runs out of memory.
    maxWorkers: "100%",
    setupFiles: ["./test/support/setup.ts"],
    include: ["test/**/*.test.ts"],
  },
}));
