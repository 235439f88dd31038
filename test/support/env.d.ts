import type { D1Migration } from "@cloudflare/vitest-plugin";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      SMALL_LIMIT: RateLimit;
      CI?: string;
      FUZZ_REQUESTS?: string;
      FUZZ_SEED?: string;
      FUZZ_PATH?: string;
    }
  }
}
