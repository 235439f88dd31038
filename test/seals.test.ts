// @module-tag thorough
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { keyRingOf, seal, unseal } from "../src/db/seals.ts";
import { openIssuer } from "../src/issuing/issuer_secrets.ts";
import { get, patch, post, put } from "./support/api.ts";
import { inconsistenciesIn } from "./support/consistency.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import { storedIssuer } from "./support/issuers.ts";
import type { Json } from "./support/json.ts";
import { empty, stored } from "./support/stored.ts";

const key = (digit: string) => btoa(digit.repeat(32));
const ONE = `one:${key("1")}`;
const TWO = `two:${key("2")}`;

const ring = async (text: string) => (await keyRingOf(text)) ?? new Map();

const targets: Record<string, Json> = {
  "monitoring_vendor.api_key": { monitoring_vendor: { api_key: given.SECRET } },
  "logs_ingestion.client_secret": {
    logs_ingestion: {
      tenant_id: "t",
      client_id: "c",
      client_secret: given.SECRET,
      logs_ingestion_uri: "u",
      data_collection_rule_id: "r",
      data_collection_stream_name: "n",
    },
  },
  "object_storage.auth.creds.cloud_secret_access_key": {
    object_storage: {
      auth: { creds: { cloud_access_key_id: "id", cloud_secret_access_key: given.SECRET } },
      bucket_arn: "arn",
      region: "r",
    },
  },
  ...Object.fromEntries(
    [
      ["cloud_delivery_stream", "delivery_stream_arn"],
      ["cloud_stream", "stream_arn"],
      ["cloud_logs", "log_group_arn"],
    ].map(([name = "", arn = ""]) => [
      `${name}.auth.creds.cloud_secret_access_key`,
      {
        [name]: {
          auth: { creds: { cloud_access_key_id: "id", cloud_secret_access_key: given.SECRET } },
          [arn]: "arn",
        },
      },
    ]),
  ),
};

/** The secret at `member` in the stored target of `id`. */
async function secretOf(id: string, member: string): Promise<string> {
  const row = await env.DB.prepare("select target from event_destinations where id = ?")
    .bind(id)
    .first<Json>();
  return member.split(".").reduce((value, name) => value[name], JSON.parse(row?.["target"]));
}

describe.each(Object.entries(targets))("the secret at %s", (member, target) => {
  test("is sealed on create and on PATCH, and opens for its object and field only", async () => {
    const created = await given.destination({ target });
    const changed = await given.destination();
    await patch(`/event_destinations/${changed.id}`, { target });
    for (const { id } of [created, changed]) {
      const sealed = await secretOf(id, member);
      expect(sealed).toMatch(/^sealed\.one\./);
      const place = `${id}/target.${member}`;
      expect(await unseal(await ring(env.SEALING_KEYS ?? ""), sealed, place)).toBe(given.SECRET);
      for (const elsewhere of [`${created.id}x/target.${member}`, `${id}/target.${member}x`, ""])
        await expect(unseal(await ring(ONE), sealed, elsewhere)).rejects.toThrow();
    }
  });
});

test("sealing the same secret twice gives different ciphertexts, and an altered one does not open", async () => {
  const keys = await ring(ONE);
  const [a, b] = [await seal(keys, given.SECRET, "here"), await seal(keys, given.SECRET, "here")];
  expect(a).not.toBe(b);
  const altered = a.slice(0, -6) + (a.at(-6) === "A" ? "B" : "A") + a.slice(-5);
  await expect(unseal(keys, altered, "here")).rejects.toThrow();
});

test("a secret can be as long as a body", async () => {
  const client_secret = "é".repeat(500_000);
  const target = targets["logs_ingestion.client_secret"]?.["logs_ingestion"];
  const { id } = await given.destination({ target: { logs_ingestion: { ...target, client_secret } } });
  const sealed = await secretOf(id, "logs_ingestion.client_secret");
  expect(await unseal(await ring(ONE), sealed, `${id}/target.logs_ingestion.client_secret`)).toBe(
    client_secret,
  );
});

test.each([undefined, "", "nonsense", "one:c2hvcnQ=", `${ONE},`, `${ONE};${TWO}`, `${ONE},one:${key("2")}`])(
  "with the keyring %j, writes with secrets return 503 and everything else works",
  async (SEALING_KEYS) => {
    const options = { env: { SEALING_KEYS } };
    const [target] = Object.values(targets);
    const { id } = await given.destination();
    for (const answer of [
      await post("/event_destinations", { target }, options),
      await patch(`/event_destinations/${id}`, { target }, options),
    ]) {
      expect([answer.status, answer.body.error_code]).toEqual([503, "ERR_UNAVAILABLE"]);
      expect(answer.text).not.toContain(given.SECRET);
    }
    const role = { cloud_logs: { auth: { role: { role_arn: "arn" } }, log_group_arn: "arn" } };
    expect((await post("/event_destinations", { target: role }, options)).status).toBe(201);
    expect((await patch(`/event_destinations/${id}`, { description: "x" }, options)).status).toBe(200);
    expect((await get(`/event_destinations/${id}`, options)).status).toBe(200);
    expect((await post("/ip_policies", {}, options)).status).toBe(201);
  },
);

describe("rotation", () => {
  beforeEach(async () => {
    await empty();
  });

  const reseal = async (SEALING_KEYS: string, before_id?: string) => {
    const answer = await post("/sealed_secrets/reseal", before_id ? { before_id } : {}, {
      env: { SEALING_KEYS },
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  test("reseals every secret with the first key, chunk by chunk, and can be repeated", async () => {
    const all: [string, string][] = [];
    for (let i = 0; i < 10; i++)
      for (const [member, target] of Object.entries(targets))
        all.push([(await given.destination({ target })).id, member]);
    let next: string | undefined;
    for (let chunk = 1; chunk <= 6; chunk++) {
      const { next_before_id, ...counts } = await reseal(`${TWO},${ONE}`, next);
      expect(counts).toEqual({ looked_at: 10, resealed: 10, unopened: [], unwritten: [] });
      next = next_before_id;
    }
    expect(next).toBeNull();
    expect(await reseal(`${TWO},${ONE}`)).toMatchObject({ resealed: 0 });
    for (const [id, member] of all) {
      const sealed = await secretOf(id, member);
      expect(await unseal(await ring(TWO), sealed, `${id}/target.${member}`)).toBe(given.SECRET);
    }
  });

  test("handles fewer destinations per request if secrets are long", async () => {
    const target = { monitoring_vendor: { api_key: "x".repeat(1_000_000) } };
    for (let i = 0; i < 5; i++) await given.destination({ target });
    const first = await reseal(`${TWO},${ONE}`);
    expect(first).toMatchObject({ looked_at: 2, resealed: 2 });
    const second = await reseal(`${TWO},${ONE}`, first.next_before_id);
    expect(second).toMatchObject({ looked_at: 2, resealed: 2 });
    const third = await reseal(`${TWO},${ONE}`, second.next_before_id);
    expect(third).toMatchObject({ looked_at: 1, resealed: 1, next_before_id: null });
  });

  test("leaves a secret that no key opens, and reports it", async () => {
    const { id } = await given.destination();
    const before = await secretOf(id, "monitoring_vendor.api_key");
    expect(await reseal(TWO)).toEqual({
      looked_at: 1,
      resealed: 0,
      unopened: [id],
      unwritten: [],
      next_before_id: null,
    });
    expect(await secretOf(id, "monitoring_vendor.api_key")).toBe(before);
  });

  test("reports a secret that was sealed with another key of the same id", async () => {
    const { id } = await given.destination();
    expect(await reseal(`one:${key("3")}`)).toMatchObject({ resealed: 0, unopened: [id] });
  });

  test("leaves a target that was replaced after it was read, and reports it", async () => {
    const old = env.SEALING_KEYS?.split(",").toReversed().join();
    const first = { target: { monitoring_vendor: { api_key: given.SECRET, service: "first" } } };
    const { body } = await post("/event_destinations", first, { env: { SEALING_KEYS: old } });
    const second = { target: { monitoring_vendor: { api_key: "other", service: "second" } } };
    const DB = intercepted(env.DB, async ({ queries, send }) => {
      const results = await send();
      if (queries.join().startsWith("select")) await patch(body.uri, second, { env: { SEALING_KEYS: old } });
      return results;
    });
    const resealed = await post("/sealed_secrets/reseal", {}, { env: { DB } });
    expect(resealed.body.unwritten).toEqual([body.id]);
    expect((await get(body.uri)).body.target.monitoring_vendor.service).toBe("second");
    expect((await post("/sealed_secrets/reseal", {})).body).toMatchObject({ resealed: 1, unwritten: [] });
  });

  test("changes no ETag, because responses stay the same", async () => {
    const ring = env.SEALING_KEYS?.split(",").toReversed().join();
    const { uri } = await given.destination();
    expect(
      (await post("/sealed_secrets/reseal", {}, { env: { SEALING_KEYS: ring } })).body.resealed,
    ).toBeGreaterThan(0);
    expect((await get(uri)).headers.get("ETag")).toMatch(/-1"$/);
  });

  test("can run twice concurrently: each run counts its own writes, and nothing is lost", async () => {
    const { id } = await given.destination();
    const answers = await Promise.all([reseal(`${TWO},${ONE}`), reseal(`${TWO},${ONE}`)]);
    expect(answers.map(({ resealed }) => resealed).toSorted()).toEqual([0, 1]);
    const sealed = await secretOf(id, "monitoring_vendor.api_key");
    expect(await unseal(await ring(TWO), sealed, `${id}/target.monitoring_vendor.api_key`)).toBe(
      given.SECRET,
    );
  });

  test("does not touch destinations without secrets", async () => {
    await given.destination({
      target: { cloud_logs: { auth: { role: { role_arn: "a" } }, log_group_arn: "b" } },
    });
    expect(await reseal(`${TWO},${ONE}`)).toMatchObject({ looked_at: 1, resealed: 0 });
  });

  describe("of routes", () => {
    const both = `${TWO},${ONE}`;
    const old = { env: { SEALING_KEYS: ONE } };
    const webhook = { provider: "github", secret: given.SECRET };

    /** The URI of a route with a secret: an object, or one managed elsewhere. */
    const routes: Record<string, () => Promise<string>> = {
      "an object": async () => {
        const { uri } = await given.route();
        await patch(uri, { webhook_verification: webhook }, old);
        return uri;
      },
      "one managed elsewhere": async () => {
        const uri = `/edges/https/${given.HTTPS_EDGE}/routes/${given.HTTPS_ROUTE}`;
        await put(`${uri}/webhook_verification`, webhook, old);
        return uri;
      },
    };
    const nameOf = (uri: string): string => uri.replace(/^.*\/edges\/https\//, "").replace("/routes", "");

    async function storedWebhook(uri: string): Promise<Json> {
      const row = await env.DB.prepare(
        "select webhook_verification from https_edge_routes where edge_id || '/' || id = ?",
      )
        .bind(nameOf(uri))
        .first<string>("webhook_verification");
      return JSON.parse(row ?? "null");
    }

    describe.each(Object.entries(routes))("%s:", (_, make) => {
      test("the secret is sealed again for its route and field, and no version changes", async () => {
        const uri = await make();
        const module = `${uri}/webhook_verification`;
        const before = await get(module);
        const wanted = { looked_at: 1, resealed: 1, unopened: [], unwritten: [], next_before_id: null };
        expect(await reseal(both)).toEqual(wanted);
        const { secret, ...rest } = await storedWebhook(uri);
        expect(rest).toEqual({ enabled: true, provider: "github" });
        const place = `${uri.split("/").at(-1)}/webhook_verification.secret`;
        expect(await unseal(await ring(TWO), secret, place)).toBe(given.SECRET);
        expect(await reseal(both)).toEqual({ ...wanted, resealed: 0 });
        const after = await get(module);
        expect([after.headers.get("ETag"), after.text]).toEqual([before.headers.get("ETag"), before.text]);
      });

      test("a secret that no key opens is left, and reported with its edge and route", async () => {
        const uri = await make();
        const before = await storedWebhook(uri);
        expect(await reseal(TWO)).toMatchObject({ looked_at: 1, resealed: 0, unopened: [nameOf(uri)] });
        expect(await storedWebhook(uri)).toEqual(before);
      });

      test("a secret that was replaced after it was read is left, and reported", async () => {
        const uri = await make();
        const second = { provider: "gitlab", secret: "other" };
        const DB = intercepted(env.DB, async ({ queries, send }) => {
          const results = await send();
          if (queries.every((query) => query.startsWith("select")))
            await put(`${uri}/webhook_verification`, second, old);
          return results;
        });
        const answer = await post("/sealed_secrets/reseal", {}, { env: { SEALING_KEYS: both, DB } });
        expect(answer.body).toMatchObject({ resealed: 0, unwritten: [nameOf(uri)] });
        expect((await storedWebhook(uri))["provider"]).toBe("gitlab");
        expect(await reseal(both)).toMatchObject({ resealed: 1, unwritten: [] });
      });
    });

    test("come after the last destination, chunk by chunk, and edges keep their version", async () => {
      for (let i = 0; i < 12; i++) await given.destination();
      const edges = [await given.httpsEdge(), await given.httpsEdge()];
      const uris: string[] = [];
      for (const { id } of edges) {
        for (let i = 0; i < 7; i++)
          uris.push((await given.route({ edge_id: id, webhook_verification: webhook })).uri);
        await given.route({ edge_id: id, webhook_verification: { provider: "sns" } });
        await given.route({ edge_id: id });
      }
      // Several edges have routes with the same id.
      for (const edge of ["edghts_1", "edghts_2", "edghts_zz"]) {
        const uri = `/edges/https/${edge}/routes/${given.HTTPS_ROUTE}`;
        await put(`${uri}/webhook_verification`, webhook);
        uris.push(uri);
      }
      const etags = async () =>
        Promise.all(edges.map(async ({ uri }) => (await get(uri)).headers.get("ETag")));
      const before = await etags();
      const counts: number[][] = [];
      const cursors: string[] = [];
      for (let next: string | undefined; next !== null && counts.length < 9;) {
        const answer = await reseal(both, next);
        expect([answer.unopened, answer.unwritten]).toEqual([[], []]);
        counts.push([answer.looked_at, answer.resealed]);
        next = answer.next_before_id;
        cursors.push(String(next).replace(/_\w+/g, ""));
      }
      // 12 destinations, and 19 routes, 2 of which have no secret.
      expect(counts.map(([looked]) => looked)).toEqual([10, 12, 9]);
      expect(counts.reduce((sum, [, resealed = 0]) => sum + resealed, 0)).toBe(29);
      expect(cursors).toEqual(["ed", "edghts/edghtsrt", "null"]);
      for (const uri of uris) {
        const place = `${uri.split("/").at(-1)}/webhook_verification.secret`;
        expect(await unseal(await ring(TWO), (await storedWebhook(uri))["secret"], place)).toBe(given.SECRET);
      }
      expect(await etags()).toEqual(before);
    });

    test("are measured again, because a sealed secret's length depends on its key's id", async () => {
      await given.route({ webhook_verification: webhook });
      expect(await reseal(`another_id_of_a_key:${key("2")},${ONE}`)).toMatchObject({ resealed: 1 });
      expect(inconsistenciesIn(await stored(), [])).toEqual([]);
    });

    test("are fewer per request if their secrets are long", async () => {
      const long = { provider: "github", secret: "x".repeat(700_000) };
      for (const id of ["edghtsrt_1", "edghtsrt_2", "edghtsrt_3"])
        await put(`/edges/https/${given.HTTPS_EDGE}/routes/${id}/webhook_verification`, long);
      const first = await reseal(both);
      expect(first).toMatchObject({ looked_at: 2, resealed: 2 });
      expect(await reseal(both, first.next_before_id)).toMatchObject({
        looked_at: 1,
        resealed: 1,
        next_before_id: null,
      });
    });

    test("are not read without a secret, however many there are", async () => {
      for (let i = 0; i < 15; i++) await put(`/edges/https/edghts_1/routes/edghtsrt_${i}/compression`, {});
      await put(`/edges/https/edghts_1/routes/edghtsrt_x/webhook_verification`, webhook);
      const { cost, body } = await post("/sealed_secrets/reseal");
      expect(body.looked_at).toBe(1);
      expect(cost.rowsRead).toBeLessThan(10);
    });

    test.each([
      "edghts_1",
      "edghtsrt_1",
      "edghts_1/",
      "edghts_1/edghtsrt_1/",
      "ed_1/edghtsrt_1",
      "ed_1/2",
      "/",
    ])("cannot start at %j", async (before_id) => {
      const answer = await post("/sealed_secrets/reseal", { before_id });
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, "/before_id"]);
    });
  });
});

describe("of certificate issuers", () => {
  beforeEach(() => empty());

  const external_account = { key_id: "kid-1", hmac_key: btoa(given.SECRET).replaceAll("=", "") };
  const turned = { env: { SEALING_KEYS: `${TWO},${ONE}` } };
  const reseal = async (before_id?: string, options = turned) =>
    (await post("/sealed_secrets/reseal", before_id === undefined ? {} : { before_id }, options)).body;

  test("both secrets are sealed again, for their fields, and nothing else changes", async () => {
    const [with_account, without] = [await given.issuer({ external_account }), await given.issuer()];
    const before = [await storedIssuer(with_account["id"]), await storedIssuer(without["id"])];
    const opened = await Promise.all(before.map((row) => openIssuer(env, row)));
    expect(await reseal()).toEqual({
      looked_at: 2,
      resealed: 2,
      unopened: [],
      unwritten: [],
      next_before_id: null,
    });
    const after = [await storedIssuer(with_account["id"]), await storedIssuer(without["id"])];
    expect(JSON.stringify(after).match(/sealed\.two\./g)).toHaveLength(3);
    expect(JSON.stringify(after)).not.toContain("sealed.one.");
    const onlyNew = { ...env, SEALING_KEYS: TWO };
    expect(await Promise.all(after.map((row) => openIssuer(onlyNew, row)))).toEqual(opened);
    expect((await get(with_account["uri"])).headers.get("ETag")).toMatch(/-1"$/);
    expect((await get("/events?limit=100")).body["events"]).toHaveLength(2);
    expect(await reseal()).toMatchObject({ looked_at: 2, resealed: 0 });
  });

  test("come last, ten at a time", async () => {
    await given.destination();
    for (let i = 0; i < 12; i++) await given.issuer();
    const first = await reseal();
    expect(first).toMatchObject({ looked_at: 11, resealed: 11 });
    expect(first.next_before_id).toMatch(/^ci_/);
    expect(await reseal(first.next_before_id)).toMatchObject({
      looked_at: 2,
      resealed: 2,
      next_before_id: null,
    });
  });

  test("are left and reported if a key is missing, or if another request replaced one", async () => {
    const { id, uri } = await given.issuer({ external_account });
    expect(await reseal(undefined, { env: { SEALING_KEYS: TWO } })).toMatchObject({
      resealed: 0,
      unopened: [id],
    });
    const other = { key_id: "kid-2", hmac_key: "b3RoZXI" };
    const DB = intercepted(env.DB, async ({ queries, send }) => {
      const results = await send();
      if (queries.join().includes("certificate_issuers") && queries.join().startsWith("select"))
        await patch(uri, { external_account: other });
      return results;
    });
    const both = `${TWO},${ONE}`;
    const { body } = await post("/sealed_secrets/reseal", {}, { env: { DB, SEALING_KEYS: both } });
    expect(body).toMatchObject({ resealed: 0, unwritten: [id] });
    expect((await openIssuer(env, await storedIssuer(id))).externalAccount).toEqual(other);
    expect(await reseal()).toMatchObject({ resealed: 1, unwritten: [] });
  });
});

test("a ciphertext copied to another row does not open there", async () => {
  const [a, b] = [await given.destination(), await given.destination()];
  const moved = await secretOf(a.id, "monitoring_vendor.api_key");
  const place = `${b.id}/target.monitoring_vendor.api_key`;
  await expect(unseal(await ring(ONE), moved, place)).rejects.toThrow();
});
