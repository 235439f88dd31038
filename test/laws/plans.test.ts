// @module-tag thorough
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { type Answer, get, post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import type { Json } from "../support/json.ts";
import { matches } from "../support/naive_access.ts";
import { build, drawn, requested, world } from "../support/random_world.ts";
import { empty } from "../support/stored.ts";

/*
 * The effect that a plan shows is what the API shows once the plan is applied: its fields, its problems, and who gets in at
 * the edges of every network.
 */

const SCALE = { ipv4: 32, ipv6: 128 } as const;

/** The first and the last address of a network, and those around it. */
function edgesOf(network: string): string[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const bits = SCALE[address.kind()];
  const number = address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = number + (1n << BigInt(bits - length)) - 1n;
  return [number - 1n, number, last, last + 1n]
    .filter((one) => one >= 0n && one < 1n << BigInt(bits))
    .map((one) => {
      const bytes = Array.from({ length: bits / 8 }, (_, i) =>
        Number((one >> BigInt(bits - 8 * (i + 1))) & 255n),
      );
      return ipaddr.fromByteArray(bytes).toString();
    });
}

const allowedAt = async (path: string, ip: string): Promise<boolean> => {
  const { status, body } = await get(`${path}/access?ip=${ip}`);
  return status === 200 && body["allowed"] === true;
};

const problemsNow = async (): Promise<Json[]> => (await get("/problems")).body["problems"];
const inOrder = (problems: Json[]): string[] => problems.map((one) => JSON.stringify(one)).toSorted();

const pathOf = ({ id, uri }: Json, ids: Map<string, string>): string => {
  const known = uri ?? ids.get(id) ?? "";
  return new URL(known).pathname;
};

/** The result of each operation whose effect the plan shows by `$N`, by that label. */
const createdIn = (applied: Answer): Map<string, string> =>
  new Map(
    applied.body["results"].flatMap(({ body }: Json, i: number) => (body ? [[`$${i}`, body.uri]] : [])),
  );

test("what a plan shows is what the API shows once the plan is applied", async () => {
  let plans = 0;
  await fc.assert(
    fc.asyncProperty(world, fc.array(drawn, { minLength: 1, maxLength: 5 }), async (given, all) => {
      await empty("events");
      const ids = await build(given);
      const operations = requested(all, ids);
      fc.pre(operations.length > 0);
      const previewed = await post("/previews", { operations });
      const made = await post("/plans", { operations });
      const tried = await post("/transactions", { operations, dry_run: true });
      if (made.status !== 201) {
        for (const { status, body } of [made, previewed])
          expect([status, body["error_code"], body["msg"]]).toEqual([
            tried.status,
            tried.body["error_code"],
            tried.body["msg"],
          ]);
        // Another world is drawn.
        fc.pre(false);
      }
      plans++;
      const { access, problems, changes, later, truncated }: Json = made.body;
      expect(previewed.body).toEqual({ access, problems, changes, later, truncated });
      const problemsBefore = await problemsNow();
      const networks: string[] = access.flatMap(({ newly_allowed, newly_refused }: Json) => [
        ...newly_allowed,
        ...newly_refused,
      ]);
      const probes = [
        ...new Set([...networks.slice(0, 8).flatMap(edgesOf), "10.1.2.3", "192.0.2.200", "2001:db8::1"]),
      ];
      const entrances = [
        ...ids.edges.filter((path) => !path.includes("https")),
        ...ids.routes,
        ...ids.policies.map((id) => `/ip_policies/${id}`),
      ];
      const look = async (paths: string[]) =>
        new Map(
          await Promise.all(
            paths.map(
              async (path) => [path, await Promise.all(probes.map((ip) => allowedAt(path, ip)))] as const,
            ),
          ),
        );
      const before = await look(entrances);
      const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, {
        headers: { "If-Match": made.headers.get("ETag") ?? "" },
      });
      expect(applied.status, applied.text).toBe(200);

      const gone = new Set(inOrder(problems.removed));
      const kept = inOrder(problemsBefore).filter((one) => !gone.has(one));
      const labels = createdIn(applied);
      const named = (text: string) =>
        text.replace(/\$\d+/g, (label) => labels.get(label)?.split("/").at(-1) ?? label);
      expect([...kept, ...inOrder(problems.added).map(named)].toSorted()).toEqual(
        inOrder(await problemsNow()),
      );

      const shown = new Map<string, Json>(access.map((item: Json) => [pathOf(item.object, labels), item]));
      const paths = [...new Set([...entrances, ...shown.keys()])];
      const after = await look(paths);
      for (const path of paths)
        for (const [i, ip] of probes.entries()) {
          const was = before.get(path)?.[i] ?? false;
          const is = after.get(path)?.[i] ?? false;
          const item = shown.get(path);
          const isIn = (list: string[] = []) => list.some((network) => matches(network, ip));
          const listed = [isIn(item?.["newly_allowed"]), isIn(item?.["newly_refused"])];
          // Of a long list, only the first 50 networks are shown.
          if (item?.["truncated"] && !listed.includes(true)) {
            expect(Math.max(item["newly_allowed"].length, item["newly_refused"].length)).toBe(50);
            continue;
          }
          expect([path, ip, ...listed]).toEqual([path, ip, is && !was, was && !is]);
        }

      const ownersDeleted = changes.some(
        ({ method, path }: Json) => method === "DELETE" && /^\/(?:ip_policies|edges\/https)\/\w+$/.test(path),
      );
      const last = new Map<string, Json>(
        changes.flatMap((change: Json) => (change.object ? [[pathOf(change.object, labels), change]] : [])),
      );
      for (const [path, { after: fields, before: old }] of last) {
        const { status, body } = await get(path);
        // Rules and routes are deleted with what they belong to.
        if (status === 404 && ownersDeleted && /rule|route/.test(path)) continue;
        expect(status, path).toBe(fields === null ? 404 : 200);
        if (fields !== null && old !== undefined)
          expect(body).toMatchObject(JSON.parse(named(JSON.stringify(fields))));
      }
    }),
    runs(40),
  );
  expect(plans).toBeGreaterThan(5);
});
