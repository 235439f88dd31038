import { expect, test } from "vitest";
import { ORIGIN, patch } from "../support/api.ts";
import * as given from "../support/given.ts";

test("a bot user is active by default", async () => {
  const bot = await given.botUser({ name: "deploy" });
  expect(bot).toEqual({
    id: expect.stringMatching(/^bot_[0-9A-Za-z]{27}$/),
    uri: `${ORIGIN}/bot_users/${bot.id}`,
    created_at: expect.any(String),
    name: "deploy",
    active: true,
  });
  expect((await given.botUser({ active: false })).active).toBe(false);
});

test("PATCH of one field leaves the other unchanged", async () => {
  const bot = await given.botUser({ active: false });
  expect((await patch(`/bot_users/${bot.id}`, { name: "new" })).body).toEqual({ ...bot, name: "new" });
  expect((await patch(`/bot_users/${bot.id}`, { active: true })).body).toEqual({
    ...bot,
    name: "new",
    active: true,
  });
});
