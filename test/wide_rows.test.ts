import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { post } from "./api.ts";
import { givenHttpResponse } from "./given.ts";

/* A row in D1 may be up to 2 MB. */

test("looking up a thousand references takes about the same time, however large the rows are", async () => {
  const { id } = await givenHttpResponse();
  const backends = Array.from({ length: 1_000 }, (_, i) => `${id}x${i}`);
  const milliseconds = async (): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      expect((await post("/backends/failover", { backends })).status).toBe(400);
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const before = await milliseconds();
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 96)
     insert into http_response_backends (id, created_at, status_code, body)
     select '${id}' || i, '', 200, replace(hex(zeroblob(950000)), '0', 'x') from n`,
  ).run();
  // A lookup by the primary key takes forty times as long.
  expect(await milliseconds()).toBeLessThan(before * 4 + 100);
});
