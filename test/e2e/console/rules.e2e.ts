import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPlan, must, open, picture, signedInAlone, world } from "./world.ts";

/*
 * Rules that are added to a policy: what their forms reject, and what they keep.
 */

/** A policy with a rule, and the page that shows it. */
async function opened(description: string) {
  const { api } = await world();
  const { id } = must(await api.POST("/ip_policies", { body: { description } }));
  const rule = { cidr: "192.0.2.0/24", action: "allow", description: "Porto" } as const;
  const params = { path: { id } };
  const put = async (more: { description?: string; expires_at?: string } = {}): Promise<void> => {
    must(await api.PUT("/ip_policies/{id}/rules", { params, body: { rules: [{ ...rule, ...more }] } }));
  };
  await put();
  const reader = await signedInAlone();
  const { page, close } = reader;
  await open(reader, `#/policies/${id}`);
  await page.getByText("Porto").first().waitFor();
  const dialog = page.getByRole("dialog");
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  /** The description and the end of each rule. */
  const rules = async () =>
    must(await api.GET("/ip_policies/{id}/rules", { params })).rules.map(({ description, expires_at }) => [
      description,
      expires_at,
    ]);
  return { page, close, dialog, field, rules, put };
}

test("a rule whose end is not a time is not added without an end", async () => {
  const { page, close, dialog, field } = await opened("Ends of rules");
  await page.getByRole("button", { name: "Add rules" }).click();
  await field("Rules, one per line").fill("203.0.113.0/24, allow, Contractor");
  await field("End (UTC)").fill("20266-12-31T10:00");
  await dialog.getByRole("button", { name: "Add 1 rule" }).click();
  await dialog.getByText("Enter a year with four digits.").waitFor();
  assert.equal(await page.getByText("not applied yet").count(), 0);
  // What the browser finds wrong is said at the field, too.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Edit 192.0.2.0/24" }).click();
  await field("Network").fill("");
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.getByText("Enter a value.").waitFor();
  await page.waitForFunction("document.activeElement.labels?.[0].textContent === 'Network'");
  await picture(page, "rule-without-network");
  await field("Network").fill("192.0.2.0/24");
  await dialog.getByText("Enter a value.").waitFor({ state: "detached" });
  await close();
});

test("the forms of rules show what the service rejects", async () => {
  const { page, close, dialog, field } = await opened("Long descriptions");
  const long = "x".repeat(256);
  await page.getByRole("button", { name: "Add rules" }).click();
  await field("Rules, one per line").fill(`203.0.113.0/24, allow, ${long}`);
  await dialog.getByText("Line 1: The description is longer than 255 bytes").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Edit 192.0.2.0/24" }).click();
  await field("Description").fill(long);
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.locator(".field", { hasText: "Description" }).getByText("Longer than 255 bytes").waitFor();
  assert.equal(await page.getByText("not applied yet").count(), 0);
  // Without an answer of the service, nothing is kept either.
  await page.route("**/previews", (route) => route.fulfill({ status: 500, body: "{}" }));
  await field("Description").fill("Lisbon");
  await dialog.getByRole("button", { name: "Keep for review" }).click();
  await dialog.getByRole("alert").waitFor();
  assert.equal(await page.getByText("not applied yet").count(), 0);
  await close();
});

test("a rule keeps the description and the end that its line does not contain", async () => {
  const { page, close, dialog, field, rules, put } = await opened("Lines");
  await put({ expires_at: "2099-01-01T00:00:00Z" });
  await page.getByText("Porto").first().waitFor();
  await page.getByRole("button", { name: "Add rules" }).click();
  await field("Rules, one per line").fill("192.0.2.0/24");
  await dialog.getByText("Already in the policy: 1 rule.").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Add", exact: true }).isDisabled());
  await field("Rules, one per line").fill("192.0.2.0/24, allow, Lisbon");
  await dialog.getByRole("button", { name: "Change 1 rule" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Review" }).click();
  await applyPlan(page);
  assert.deepEqual(await rules(), [["Lisbon", "2099-01-01T00:00:00Z"]]);
  await close();
});

test("my description and somebody else's end are both kept, and a conflict shows both versions in words", async () => {
  const { page, close, dialog, field, rules, put } = await opened("Merged by field");
  const describe = async (text: string): Promise<void> => {
    await page.getByRole("button", { name: "Edit 192.0.2.0/24" }).click();
    await field("Description").fill(text);
    await dialog.getByRole("button", { name: "Keep for review" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await describe("Mine");
  await put({ expires_at: "2099-01-01T00:00:00Z" });
  await page.getByRole("link", { name: "Review" }).click();
  await applyPlan(page);
  assert.deepEqual(await rules(), [["Mine", "2099-01-01T00:00:00Z"]]);
  await page.goBack();
  await page.getByRole("button", { name: "Add rules" }).waitFor();
  await describe("Mine again");
  await put({ description: "Theirs", expires_at: "2098-01-01T00:00:00Z" });
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByLabel("Now: “Theirs”, until 1 Jan 2098, 00:00:00 UTC").waitFor();
  await page.getByLabel("Yours: “Mine again”, until 1 Jan 2099, 00:00:00 UTC").check();
  await page.getByRole("button", { name: "Review again" }).click();
  await applyPlan(page);
  assert.deepEqual(await rules(), [["Mine again", "2098-01-01T00:00:00Z"]]);
  await close();
});
