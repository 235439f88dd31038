import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { freePort } from "../support/ports.ts";
import { eventually } from "../support/wait.ts";
import { sharedWorld } from "./world.ts";

/*
 * The inventory of certificates, from files on a machine to the API.
 */

test("the service lists the certificates of a machine, and follows its files", async () => {
  const world = await sharedWorld();
  const port = await freePort();
  const [host, other] = ["shop.inventory.test", "other.inventory.test"];
  const { id } = await world.given.httpsEdge({ hostports: [`${host}:${port}`, `${other}:${port}`] });
  const list = async (name: string) => {
    const { data } = await world.service.api.GET("/certificates", { params: { query: { host: name } } });
    return data?.certificates[0];
  };
  const isShown = (name: string, pem: string) =>
    eventually(async () => {
      const { serialNumber, validTo } = new X509Certificate(pem);
      const shown = await list(name);
      assert.equal(shown?.state, "valid");
      assert.deepEqual(
        shown.edges.map((edge) => edge.id),
        [id],
      );
      assert.deepEqual(
        shown.agents.map(({ serial }) => serial),
        [serialNumber.toLowerCase()],
      );
      assert.equal(Date.parse(shown.not_after ?? ""), Date.parse(validTo));
      assert.equal(shown.issued_by, "CN=authority-of-servers");
    }, 15_000);

  const first = world.certificateFor(host);
  await isShown(host, first.pem);
  await eventually(async () => assert.equal((await list(other))?.state, "missing"));
  const both = world.certificateFor(other);
  await isShown(other, both.pem);
  const renewed = world.certificateFor(host);
  assert.notEqual(renewed.fingerprint, first.fingerprint);
  await isShown(host, renewed.pem);
});
