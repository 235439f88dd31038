// @module-tag thorough
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNamed } from "../fuzz/values.ts";
import { givenWorld } from "../fuzz/world.ts";
import { create, del, get, patch } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import type { Json } from "../support/json.ts";
import { lasting } from "../support/lasting.ts";
import { shownFor } from "./certificates.ts";
import { collections } from "./collections.ts";

const RUNS = runs(25);

/** The fields that two objects created from the same body have in common, with "id" in place of their ids. */
const withoutIdentity = ({ id, uri: _, created_at: __, edge_id: ___, ...rest }: Json): Json =>
  JSON.parse(JSON.stringify(rest).replaceAll(id, "id"));

/** The field of a request that a response shows as `name`: ids are shown as Refs. */
const requestMember = (name: string): string => (name === "destinations" ? "destination_ids" : name);

/** A created object as later responses show it. */
const made = async (path: string, body?: Json): Promise<Json> => lasting(await create(path, body));

describe.each(collections(await givenWorld()))("$path", ({ place, list, createBody, patchBody, fixed }) => {
  test("GET and the list show the same object as POST, and each string is as it was sent", async () => {
    await fc.assert(
      fc.asyncProperty(createBody, async (body) => {
        const path = await place();
        const shown = await made(path, body);
        expect((await get(`${path}/${shown["id"]}`)).body).toEqual(shown);
        expect((await get(`${path}?limit=1`)).body[list]).toEqual([shown]);
        for (const [name, value] of Object.entries(body))
          if (name === "ca_pem") expect(shown).toMatchObject(shownFor(String(value)));
          else if (typeof value === "string" && name in shown && !isNamed(name))
            expect(shown[name]).toBe(value);
          else if (value === "") expect(shown).not.toHaveProperty(name);
      }),
      RUNS,
    );
  });

  test("PATCH {} changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(createBody, async (body) => {
        const path = await place();
        const before = await made(path, body);
        const { body: shown, cost } = await patch(`${path}/${before["id"]}`, {});
        expect(shown).toEqual(before);
        expect(cost.rowsWritten).toBe(0);
      }),
      RUNS,
    );
  });

  test("repeating a PATCH has no further effect, and the id, uri and created_at never change", async () => {
    await fc.assert(
      fc.asyncProperty(createBody, patchBody, async (body, change) => {
        const path = await place();
        const before = await made(path, body);
        const url = `${path}/${before["id"]}`;
        const once = lasting((await patch(url, change)).body);
        expect(lasting((await patch(url, change)).body)).toEqual(once);
        expect((await get(url)).body).toEqual(once);
        expect([once.id, once.uri, once.created_at]).toEqual([
          before["id"],
          before["uri"],
          before["created_at"],
        ]);
        for (const name of Object.keys(before))
          if (!(requestMember(name) in change)) expect(once[name]).toEqual(before[name]);
      }),
      RUNS,
    );
  });

  test("PATCHes of different fields commute", async () => {
    await fc.assert(
      fc.asyncProperty(createBody, patchBody, fc.infiniteStream(fc.boolean()), async (body, change, coin) => {
        const [left, right]: [Json, Json] = [{}, {}];
        for (const [name, value] of Object.entries(change)) (coin.next().value ? left : right)[name] = value;
        const [a, b] = [await made(await place(), body), await made(await place(), body)];
        await patch(a["uri"], left);
        await patch(b["uri"], right);
        const leftFirst = (await patch(a["uri"], right)).body;
        const rightFirst = (await patch(b["uri"], left)).body;
        expect(withoutIdentity(lasting(leftFirst))).toEqual(withoutIdentity(lasting(rightFirst)));
      }),
      RUNS,
    );
  });

  test("PATCH rejects immutable fields", async () => {
    const body = fc.sample(createBody, 1)[0] ?? {};
    const path = await place();
    const before = await made(path, body);
    for (const name of fixed) {
      const answer = await patch(`${path}/${before["id"]}`, { [name]: body[name] ?? 1 });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ path: `/${name}` }]);
    }
    expect((await get(`${path}/${before["id"]}`)).body).toEqual(before);
  });

  test("after DELETE, an object is gone for every method", async () => {
    const body = fc.sample(createBody, 1)[0];
    const path = await place();
    const { id } = await made(path, body);
    expect((await del(`${path}/${id}`)).status).toBe(204);
    for (const answer of [
      await get(`${path}/${id}`),
      await patch(`${path}/${id}`, {}),
      await del(`${path}/${id}`),
    ])
      expect(answer.status).toBe(404);
  });
});
