import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/wait.ts";
import { must, open, picture, signedIn, world } from "./world.ts";

/*
 * A delivery that fails, is retried, suspended, resumed and replayed, as its page shows it.
 */

test("a delivery fails, is retried, suspended, resumed and replayed; the page shows each within ten seconds", async () => {
  const { api, receiver } = await world();
  const secret = `whsec_${btoa("s".repeat(32))}`;
  const target = { webhook: { url: "https://receiver.example.com/events", secret } };
  const destination = must(
    await api.POST("/event_destinations", { body: { description: "The receiver", format: "json", target } }),
  );
  const sources = [{ type: "ip_policy_created.v0" as const }];
  must(await api.POST("/event_subscriptions", { body: { sources, destination_ids: [destination.id] } }));
  /** Causes an event that the destination receives. */
  const cause = async () => must(await api.POST("/ip_policies", { body: { description: "Delivered" } }));

  receiver.status = 500;
  await cause();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/deliveries/${destination.id}`);
  /** Waits until the page shows this state of the delivery. */
  const shown = (state: string) =>
    page.getByText(state, { exact: true }).first().waitFor({ timeout: 12_000 });
  const confirm = async (name: string): Promise<void> => {
    await page.getByRole("button", { name }).click();
    const verb = name.replace("…", "");
    await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await shown("Retrying");
  await page.getByText("status 500").first().waitFor();
  await picture(page, "delivery-failing");

  receiver.status = 410;
  await confirm("Try now");
  await shown("Suspended");

  receiver.status = 204;
  receiver.accepted.length = 0;
  await cause();
  assert.deepEqual(receiver.accepted, [], "nothing is sent while the delivery is suspended");
  await confirm("Try now");
  await shown("Delivering");
  // The state says that the delivery goes on, not that everything has arrived.
  await until("both events arrive", () => receiver.accepted.length >= 2);
  assert.deepEqual(receiver.accepted, ["ip_policy_created.v0", "ip_policy_created.v0"]);

  await confirm("Send a test");
  await page.getByText(/^The test event arrived after/).waitFor();
  assert.equal(receiver.accepted.at(-1), "test.v0");

  receiver.accepted.length = 0;
  await confirm("Send again…");
  await page.getByText("The events of the last 24 hours are sent again.").waitFor();
  await until("both events arrive again", () => receiver.accepted.length >= 2);
  assert.deepEqual(reader.complaints, []);
  await close();
});
