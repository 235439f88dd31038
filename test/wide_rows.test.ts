import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { post } from "./api.ts";
import { givenHttpResponse, givenStatic, givenWeighted } from "./given.ts";

/* A row in D1 may be up to 2 MB. */

test.each([
  { given: givenHttpResponse, table: "http_response_backends", required: { status_code: 200 } },
  { given: givenWeighted, table: "weighted_backends", required: {} },
  { given: givenStatic, table: "static_backends", required: { address: "a:1", tls: "{}" } },
])(
  "looking up a thousand references takes about the same time, however large the rows of $table are",
  async ({ given, table, required }) => {
    const { id } = await given();
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
    const names = Object.keys(required).map((name) => `, ${name}`);
    const values = Object.values(required).map((value) => `, '${value}'`);
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 96)
       insert into ${table} (id, created_at, description${names.join("")})
       select '${id}' || i, '', replace(hex(zeroblob(950000)), '0', 'x')${values.join("")} from n`,
    ).run();
    // A lookup by the primary key takes forty times as long.
    expect(await milliseconds()).toBeLessThan(before * 4 + 100);
    await env.DB.prepare(`delete from ${table}`).run();
  },
);
