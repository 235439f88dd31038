// @module-tag large
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { post } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";

/* A row in D1 can be up to 2 MB. */

const LARGE = "replace(hex(zeroblob(950000)), '0', 'x')";

const children = { path: "/backends/failover", body: (ids: string[]): Json => ({ backends: ids }) };

test.each([
  {
    ...children,
    what: "HTTP response backends",
    given: given.httpResponse,
    row: `http_response_backends (id, created_at, status_code, body) select ? || i, '', 200, ${LARGE}`,
  },
  {
    ...children,
    what: "weighted backends",
    given: given.weighted,
    row: `weighted_backends (id, created_at, description) select ? || i, '', ${LARGE}`,
  },
  {
    ...children,
    what: "static backends",
    given: given.staticBackend,
    row: `static_backends (id, created_at, address, tls, description) select ? || i, '', 'a:1', '{}', ${LARGE}`,
  },
  {
    path: "/event_subscriptions",
    body: (ids: string[]): Json => ({ destination_ids: ids }),
    what: "event destinations",
    given: given.destination,
    row: `event_destinations (id, created_at, format, target) select ? || i, '', 'json', ${LARGE}`,
  },
])(
  "looking up a thousand $what takes about the same time, however large their rows are",
  async ({ given, body, path, row }) => {
    const { id } = await given();
    const ids = Array.from({ length: 1_000 }, (_, i) => `${id}x${i}`);
    const milliseconds = async (): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const start = performance.now();
        expect((await post(path, body(ids))).status).toBe(400);
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    };
    const before = await milliseconds();
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 96) insert into ${row} from n`,
    )
      .bind(id)
      .run();
    // A lookup by the primary key takes forty times as long.
    expect(await milliseconds()).toBeLessThan(before * 4 + 100);
    await env.DB.prepare(`delete from ${row.slice(0, row.indexOf(" "))}`).run();
  },
);
