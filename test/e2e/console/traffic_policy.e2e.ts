import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/wait.ts";
import { choose, must, open, reviewed, signedIn, world } from "./world.ts";

/*
 * Writing a traffic policy with what is wrong with it, and trying it on a request.
 */

/** A new edge with a route and a backend. */
async function givenRoute(): Promise<{ edge: string; route: string; host: string }> {
  const { api } = await world();
  const host = `policy-${Date.now()}.example.com`;
  const backend = must(await api.POST("/backends/http_response", { body: { status_code: 200 } }));
  const edge = must(await api.POST("/edges/https", { body: { hostports: [`${host}:443`] } }));
  const params = { path: { edge_id: edge.id } };
  const route = must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params,
      body: { match_type: "path_prefix", match: "/", backend: { backend_id: backend.id } },
    }),
  );
  return { edge: edge.id, route: route.id, host };
}

test("a policy is written with its findings, tried on a request, reviewed and applied", async () => {
  const { api } = await world();
  const { edge, route, host } = await givenRoute();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${edge}?route=${route}`);
  await choose(page, "Add a step", /^Traffic policy/);
  const field = page.getByLabel("Traffic policy", { exact: true });
  const text = (expression: string): string =>
    `on_http_request:\n  - name: admins\n    expressions:\n      - ${expression}\n    actions:\n      - type: deny\n`;
  await field.fill(text("req.methd == 'GET'"));
  await page.getByText('did you mean "req.method"?').waitFor();
  await page.getByText("Invalid", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Go to line and column 4:9" }).press("Enter");
  const caret = await page.evaluate("document.activeElement.selectionStart");
  assert.equal(caret, text("req.methd").indexOf("req.methd"));
  assert.deepEqual(await page.locator(".code li.bad").allInnerTexts(), ["4"]);
  assert.deepEqual(await page.locator(".code u").allTextContents(), ["req.methd"]);
  await page.getByRole("button", { name: "Use req.method" }).click();
  assert.equal(await field.inputValue(), text("req.method == 'GET'"));
  await page.keyboard.press("Control+z");
  assert.equal(await field.inputValue(), text("req.methd == 'GET'"));
  await page.keyboard.press("Control+y");
  assert.equal(await field.inputValue(), text("req.method == 'GET'"));
  for (const [wrong, right] of [
    ["on_http_requst:\n  - name: a\n    actions: [{ type: deny }]", "on_http_request"],
    ["on_http_request:\n  - name: a\n    acitons:\n      - type: deny", "actions"],
    ["on_http_request:\n  - nmae: a\n    actions: [{ type: deny }]", "name"],
    ["on_http_request:\n  - name: a\n    actions: [{ type: deyn }]", "deny"],
    ["on_http_request:\n  - expressions: [\"req.methd.startsWith('P')\"]", "req.method"],
    ["on_http_request:\n  - expressions: [\"req.method.startsWit('P')\"]", "startsWith"],
  ] as const) {
    await field.fill(wrong);
    await page
      .getByRole("button", { name: `Use ${right}`, exact: true })
      .click()
      .catch(async (cause: unknown) => {
        const found = await page.locator("#findings").innerText();
        throw new Error(`${right} is not suggested: ${found} ${reader.complaints.join()}`, { cause });
      });
    await page.getByText(`Use ${right}`, { exact: true }).waitFor({ state: "detached" });
    // The driver selects the text and fills it in two steps, between which the page would select the new name.
    await until("the new name is selected", async () => {
      const selected = `(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)`;
      return (await page.evaluate(selected)) === right;
    });
    assert.ok((await field.inputValue()).includes(right));
  }

  const expression = "req.url.raw_path.startsWith('/admin')";
  await field.fill(text(expression));
  await page.getByText("Nothing is wrong.").waitFor();
  await page.getByLabel("URL").fill(`https://${host}/admin/users`);
  await page.keyboard.press("Enter");
  await page.getByText("answered with 403").waitFor();
  await page.getByText(`${expression} is true`).waitFor();
  await page.getByLabel("URL").fill(`https://${host}/shop`);
  await page.keyboard.press("Enter");
  await page.getByText("answered with 200").or(page.getByText("reaches a backend")).waitFor();

  await page.getByRole("button", { name: "Keep for review" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await reviewed(page);
  await page.getByText("admins").first().waitFor();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("heading", { level: 1, name: /^Applied/ }).waitFor();
  const params = { path: { edge_id: edge, id: route } };
  const stored = must(await api.GET("/edges/https/{edge_id}/routes/{id}", { params }));
  assert.equal(stored.traffic_policy?.value, text(expression));
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("the rules that can be inserted are enforced, alone and below others", async () => {
  const { api } = await world();
  const { edge, route } = await givenRoute();
  const [tcp] = must(await api.GET("/edges/tcp")).tcp_edges;
  const reader = await signedIn();
  for (const hash of [`#/traffic_policies/${edge}?route=${route}`, `#/traffic_policies/${tcp?.id}`]) {
    await open(reader, hash);
    const field = reader.page.getByLabel("Traffic policy", { exact: true });
    const { page } = reader;
    const items = page.getByRole("menuitem");
    const rulesIn = async (): Promise<number> =>
      (await field.inputValue()).match(/^ {2}- name/gm)?.length ?? 0;
    const insert = async (n: number): Promise<void> => {
      await page.getByRole("button", { name: "Insert a rule" }).click();
      const before = await rulesIn();
      await items.nth(n).click();
      await until("the rule is inserted", async () => (await rulesIn()) === before + 1);
    };
    const enforced = page.getByText("Enforced", { exact: true });
    await field.fill((await field.getAttribute("placeholder")) ?? "");
    await enforced.waitFor();
    await page.getByRole("button", { name: "Insert a rule" }).click();
    const rules = await items.count();
    await page.keyboard.press("Escape");
    for (let n = 0; n < rules; n++) {
      await field.fill("nonsense");
      await page.getByText("Invalid", { exact: true }).waitFor();
      await field.fill("");
      await insert(n);
      await enforced.waitFor();
    }
    for (let n = 0; n < rules; n++) await insert(n);
    await enforced.waitFor();
    assert.equal(await rulesIn(), rules + 1);
    // An inserted rule can be undone as what was typed.
    await page.keyboard.press("Control+z");
    assert.equal(await rulesIn(), rules);
    await enforced.waitFor();
    // A browser that cannot type for somebody.
    await page.evaluate("document.execCommand = () => false");
    await insert(0);
    await enforced.waitFor();
    await page.evaluate("delete document.execCommand");
  }
  await reader.close();
});

test("a request is simulated from the edge that it is sent to", async () => {
  const { edge, route, host } = await givenRoute();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${edge}?route=${route}`);
  await choose(page, "More", "Simulate a request");
  await page.getByRole("heading", { level: 1, name: "Simulate a request" }).waitFor();
  assert.equal(await page.getByLabel("URL").inputValue(), `https://${host}/`);
  await page.getByLabel("Client's address").fill("not an address");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("request source ip").waitFor();
  await page.getByLabel("Client's address").fill("2001:db8::1");
  await page.getByLabel("Headers, one per line").fill("X-Tier: gold\n");
  await page.getByRole("button", { name: "Simulate" }).click();
  const answer = page.getByText("reaches a backend").or(page.getByText("answered with 200"));
  await answer.waitFor();
  // The answer disappears when the request is edited.
  await page.getByLabel("Client's address").fill("2001:db8::2");
  await page.getByText("The request or the policy has changed. Simulate again.").waitFor();
  assert.equal(await answer.count(), 0);
  await page.getByRole("button", { name: "Simulate" }).click();
  await answer.waitFor();
  // An unedited text cannot be kept for review.
  await open(reader, `#/traffic_policies/${edge}?route=${route}`);
  await page.getByRole("heading", { level: 1, name: "Traffic policy" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Keep for review" }).isDisabled());
  assert.equal(await page.locator(".facts").getByText("kept").count(), 0);
  await close();
});
