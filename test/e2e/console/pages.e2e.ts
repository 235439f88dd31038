import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clientWith,
  crampedOn,
  keyWith,
  must,
  newReader,
  open,
  picture,
  signedIn,
  violationsOn,
  world,
} from "./world.ts";

/*
 * Every page, light and dark, on a screen and on a phone: accessible, within the policy, without errors.
 */

/** The pages, with the id of an object for those that show one. */
async function allPages(): Promise<[name: string, hash: string][]> {
  const { api } = await world();
  const policy = must(await api.GET("/ip_policies")).ip_policies[0]?.id ?? "";
  const operations = [{ method: "POST" as const, path: "/ip_policies", body: { description: "Planned" } }];
  const plan = must(await api.POST("/plans", { body: { operations } }));
  const [edge] = must(await api.GET("/edges/https")).https_edges;
  const [backend] = must(await api.GET("/backends/weighted")).backends;
  const [response] = must(await api.GET("/backends/http_response")).backends;
  const [destination] = must(await api.GET("/event_destinations")).event_destinations;
  const [event] = must(await api.GET("/events")).events;
  return [
    ["overview", "#/"],
    ["map", "#/map"],
    ["edges", "#/edges"],
    ["new edge", "#/new_edge"],
    ["edge", `#/edges/${edge?.id}`],
    ["route", `#/edges/${edge?.id}?route=${edge?.routes[0]?.id}`],
    ["traffic policy", `#/traffic_policies/${edge?.id}?route=${edge?.routes[0]?.id}`],
    ["simulate", "#/simulate"],
    ["policies", "#/policies"],
    ["policy", `#/policies/${policy}`],
    ["backends", "#/backends"],
    ["backend", `#/backends/${backend?.id}`],
    ["fixed response", `#/backends/${response?.id}`],
    ["authorities", "#/authorities"],
    ["plans", "#/plans"],
    ["changes", "#/changes"],
    ["change", `#/changes/${event?.event_id}`],
    ["deliveries", "#/deliveries"],
    ["destination", `#/deliveries/${destination?.id}`],
    ["agents", "#/agents"],
    ["certificates", "#/certificates"],
    ["keys", "#/keys"],
    ["people", "#/people"],
    ["more", "#/more"],
    ["review", "#/review"],
    ["plan", `#/plans/${plan.id}`],
    ["nothing", "#/nothing"],
    ["no such policy", "#/policies/ipp_2fCzyKyxGFFQjbGvSPXiVOWCOkX"],
  ];
}

for (const width of [1440, 390])
  test(`every page is accessible and within the policy, light and dark: ${width} px`, async () => {
    const reader = await signedIn(width);
    const { page, close, complaints } = reader;
    const found: string[] = [];
    for (const [name, hash] of await allPages()) {
      await open(reader, hash);
      await page.waitForLoadState("networkidle");
      await picture(page, `${name}-light-${width}`);
      for (const violation of await violationsOn(page)) found.push(`${name}: ${violation}`);
      for (const narrower of [width, ...(width === 390 ? [320] : [1024, 768])]) {
        await page.setViewportSize({ width: narrower, height: 900 });
        for (const text of await crampedOn(page)) found.push(`${name} at ${narrower}: ${text}`);
        const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        if (isWide) found.push(`${name}: wider than the window of ${narrower}`);
      }
      await page.setViewportSize({ width, height: 900 });
      // In the dark, a page differs by its colours alone.
      await page.emulateMedia({ colorScheme: "dark" });
      await picture(page, `${name}-dark-${width}`);
      for (const violation of await violationsOn(page, ["color-contrast"]))
        found.push(`${name}, dark: ${violation}`);
      await page.emulateMedia({ colorScheme: "light" });
    }
    assert.deepEqual([...found, ...complaints], []);
    await close();
  });

test("the sign-in form is accessible, and a wrong key says so", async () => {
  const { service } = await world();
  const { page, context } = await newReader();
  await page.goto(`${service.origin}/console`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").filter({ hasText: "Enter an API key." }).waitFor();
  await page.getByLabel("API key").fill("not-a-key");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "unknown, has expired or was deleted" }).waitFor();
  assert.deepEqual(await violationsOn(page), []);
  await context.close();
});

test("browsers that open / arrive at the console, which no other page can frame", async () => {
  const { service } = await world();
  const { page, context } = await newReader();
  const response = await page.goto(service.origin);
  assert.equal(new URL(page.url()).pathname, "/console");
  const policy = response?.headers()["content-security-policy"] ?? "";
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
    assert.ok(policy.includes(part), part);
  assert.ok(!policy.includes("unsafe"));
  const asset = await page.locator("script[src]").getAttribute("src");
  const { headers } = await fetch(`${service.origin}${asset}`);
  assert.match(headers.get("Cache-Control") ?? "", /immutable/);
  assert.equal((await fetch(`${service.origin}/console/assets/gone-ABCDEFGH.js`)).status, 404);
  await context.close();
});

test("the overview needs at most six files besides the document", async () => {
  const { service } = await world();
  const reader = await newReader();
  const files: string[] = [];
  reader.page.on("requestfinished", (request) => {
    if (request.url().includes("/console/assets/")) files.push(request.url());
  });
  await reader.page.goto(`${service.origin}/console`);
  await reader.page.getByLabel("API key").fill(service.key);
  await reader.page.keyboard.press("Enter");
  await reader.page.getByRole("heading", { level: 1, name: /place/ }).waitFor();
  // Fonts come last. The scripts of other pages follow after three seconds.
  await reader.page.evaluate("document.fonts.ready.then(() => undefined)");
  assert.ok(files.length <= 6, files.join("\n"));
  await reader.close();
});

for (const width of [1440, 390])
  test(`an agent with problems is not ok, and its page shows the whole text: ${width} px`, async () => {
    const { api } = await world();
    const name = "machine-with-a-rather-long-name";
    const reporting = clientWith(await keyWith("agent"), (await world()).service.origin);
    const msg =
      "shop.example.com:443 is not served: there is no certificate for shop.example.com in /etc/edge/certificates.";
    const problems = [{ object: "edghts_1", code: "certificate_missing", msg }];
    const body = { applied_version: 1, ok: true, problems, proxy: "HAProxy 3.2.26" };
    const params = { path: { name } };
    must(await reporting.PUT("/agents/{name}/status", { params, body }));
    const reader = await signedIn(width);
    const { page, close } = reader;
    await open(reader, "#/");
    const onOverview = page.locator(".row", { hasText: name });
    await onOverview.getByText("1 problem").waitFor();
    assert.equal(await onOverview.locator(".state.warn").count(), 1);
    await open(reader, "#/agents");
    const row = page.getByRole("article").filter({ hasText: name });
    await row.getByText("1 problem").waitFor();
    await picture(page, `agent-with-problems-${width}`);
    const [shown, panel] = [
      await row.getByText(msg).boundingBox(),
      await page.locator(".panel").first().boundingBox(),
    ];
    assert.ok(shown && panel && shown.x + shown.width <= panel.x + panel.width);
    await row.getByRole("button", { name: "Forget" }).waitFor();
    assert.equal((await api.DELETE("/agents/{name}", { params })).response.status, 204);
    await close();
  });

test("viewers see which certificates machines have, and when they end", async () => {
  const { api } = await world();
  const name = "machine-with-certificates";
  const reporting = clientWith(await keyWith("agent"), (await world()).service.origin);
  const host = "with-certificate.example.com";
  must(await api.POST("/edges/https", { body: { hostports: [`${host}:443`] } }));
  const day = (days: number): string =>
    new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, "");
  const certificate = (name: string, left: number) => ({
    hosts: [name],
    not_before: day(left - 90),
    not_after: day(left),
    issuer: "CN=<img src=x onerror=alert(1)>",
    serial: "0a",
    source: "file" as const,
    used: true,
  });
  const certificates = [certificate(host, 10.5), certificate("old.example.com", -2.5)];
  const params = { path: { name } };
  must(await reporting.PUT("/agents/{name}/status", { params, body: { ok: true, certificates } }));
  const reader = await signedIn(1440, "light", await keyWith("viewer"));
  const { page, close } = reader;
  await open(reader, "#/certificates");
  const row = page.getByRole("row", { name: host });
  await row.getByText("Ends soon").waitFor();
  await row.getByText("in 10 days").waitFor();
  await row.getByText("CN=<img src=x onerror=alert(1)>").waitFor();
  await row.getByRole("link").waitFor();
  const ended = page.getByRole("row", { name: "old.example.com" });
  await ended.getByText("2 days ago").waitFor();
  await ended.getByText("Expired").waitFor();
  await picture(page, "certificates-of-a-machine");
  await page.getByLabel("Host, edge, issuer or machine").fill("ends soon");
  assert.equal(await page.getByRole("row").count(), 2);
  assert.equal((await api.DELETE("/agents/{name}", { params })).response.status, 204);
  await page.route("**/certificates?*", (route) =>
    route.fulfill({ json: { certificates: [], uri: "", next_page_uri: null } }),
  );
  await page.reload();
  await page.getByText("No certificates yet").waitFor();
  await picture(page, "no-certificates");
  assert.deepEqual(await violationsOn(page), []);
  await close();
});

test("a path of the API leads to the object's page", async () => {
  const { api } = await world();
  const [edge] = must(await api.GET("/edges/tcp")).tcp_edges;
  const reader = await signedIn();
  await open(reader, `#/edges/tcp/${edge?.id}`);
  await reader.page.getByRole("heading", { level: 1, name: edge?.description ?? "" }).waitFor();
  await reader.close();
});

test("what the overview says of a problem agrees with its state", async () => {
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, "#/");
  const causeOf = (place: string) =>
    page
      .locator(".cause", { hasText: place })
      .innerText()
      .then((text) => text.replace(/\s+/g, " "));
  assert.match(
    await causeOf("ssh.example.com:22"),
    /^Served in part .* Actions of the traffic policy .* action 1, config: Nothing is logged/,
  );
  assert.match(await causeOf("/webhooks/payments"), /^Answers 503 .*The route returns 503: /);
  await close();
});
