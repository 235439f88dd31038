import assert from "node:assert/strict";
import type { components } from "edge-configuration-client";
import type { Page } from "playwright-core";
import { must, open, type Reader, signedIn, world } from "./world.ts";

/*
 * Plans and their pages.
 */

export type Plan = components["schemas"]["Plan"];
type Operations = NonNullable<components["schemas"]["PlanCreate"]["operations"]>;

/** Makes a plan. */
export async function planned(operations: Operations): Promise<Plan> {
  const { api } = await world();
  return must(await api.POST("/plans", { body: { operations } }));
}

/** Opens the page of a plan. */
export async function opened(
  plan: Plan,
  key?: string,
): Promise<Reader & { apply: ReturnType<Page["locator"]> }> {
  const reader = await signedIn(1440, "light", key);
  await open(reader, `#/plans/${plan.id}`);
  await reader.page.locator(".lead").waitFor();
  return { ...reader, apply: reader.page.getByRole("button", { name: "Apply" }) };
}

/** The sentence and the warnings of a plan. */
export async function effectOf(page: Page): Promise<string> {
  const parts = await page.locator(".lead, .warnings").all();
  return (await Promise.all(parts.map(textOf))).join(" ");
}

/** A list of a plan, by its title. */
export const panel = (page: Page, title: string) =>
  page
    .locator("section.panel")
    .filter({ has: page.getByRole("heading", { level: 2, name: title, exact: true }) });
/** Waits until a plan has been applied. */
export const applied = (page: Page) => page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();

/** The text of an element on one line. */
export const textOf = async (element: ReturnType<Page["locator"]>): Promise<string> =>
  (await element.innerText()).replace(/\s+/g, " ").trim();

/** Tests that the page says what the service says, word for word and nothing else. */
export async function saysWhatTheServiceSays(page: Page, plan: Plan, asked: number): Promise<void> {
  const confirmed = plan.warnings.filter(({ confirm }) => confirm);
  const others = plan.warnings.filter(({ confirm }) => !confirm);
  assert.equal(confirmed.length, asked);
  const plural = (number: number): string => `${number} warning${number === 1 ? "" : "s"}`;
  const legend =
    asked > 0
      ? [`Confirm ${plural(asked)} to apply this plan`, `0 of ${asked} confirmed`]
      : others.length > 0
        ? [plural(others.length)]
        : [];
  const words = [plan.summary, ...legend, ...[...confirmed, ...others].map(({ msg }) => msg)]
    .join(" ")
    .replace("the object of operation 0", `the new TCP edge “${plan.changes[0]?.object?.description}”`);
  assert.equal(await effectOf(page), words);
  assert.equal(await page.getByRole("checkbox").count(), asked);
}
