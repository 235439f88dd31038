import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyPlan,
  choose,
  must,
  open,
  picture,
  type Reader,
  signedIn,
  violationsOn,
  world,
} from "./world.ts";

/*
 * Adding, changing and removing the modules of edges and routes.
 */

/** Reviews and applies what is pending. */
async function apply({ page }: Reader): Promise<void> {
  await page.getByRole("link", { name: "Review" }).click();
  await applyPlan(page);
}

/** Opens the dialog of a module that is not set yet. */
async function add({ page }: Reader, module: string): Promise<void> {
  await choose(page, "Add a step", new RegExp(`^${module}`));
  await page.getByRole("dialog").getByLabel("Enabled").waitFor();
}

const keep = ({ page }: Reader): Promise<void> =>
  page.getByRole("button", { name: "Keep for review" }).click();

async function givenRoute() {
  const { api } = await world();
  const host = `modules-${Date.now()}.example.com`;
  const edge = must(await api.POST("/edges/https", { body: { hostports: [`${host}:443`] } }));
  const params = { path: { edge_id: edge.id } };
  const body = { match_type: "path_prefix", match: "/" } as const;
  const route = must(await api.POST("/edges/https/{edge_id}/routes", { params, body }));
  const read = async () =>
    must(
      await api.GET("/edges/https/{edge_id}/routes/{id}", {
        params: { path: { edge_id: edge.id, id: route.id } },
      }),
    );
  return { hash: `#/edges/${edge.id}?route=${route.id}`, read };
}

test("every module of a route is added in a form, shown in words, changed and removed", async () => {
  const { api } = await world();
  const backend = must(
    await api.POST("/backends/http_response", { body: { description: "Module target", status_code: 200 } }),
  );
  const policy = must(await api.POST("/ip_policies", { body: { description: "Module policy" } }));
  const { hash, read } = await givenRoute();
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, hash);

  await add(reader, "Goes to");
  await page.getByLabel("Goes to", { exact: true }).selectOption({ label: "Module target · Fixed response" });
  await keep(reader);
  await add(reader, "Who gets in");
  await page.getByLabel("Module policy").check();
  await keep(reader);
  await add(reader, "Circuit breaker");
  await page.getByLabel("Error rate that opens").fill("7");
  await page.getByLabel("Minimum number").fill("50");
  await picture(page, "module-circuit-breaker");
  assert.deepEqual(await violationsOn(page), []);
  await keep(reader);
  await add(reader, "Request headers");
  await page.getByLabel("Add", { exact: true }).fill("X-Edge: eu: west\n\nX-Team:  shop ");
  await page.getByLabel("Remove", { exact: true }).fill("X-Debug\n");
  await keep(reader);
  await add(reader, "Response headers");
  await page.getByLabel("Remove", { exact: true }).fill("Server");
  await keep(reader);
  await add(reader, "User agents");
  await page.getByLabel("Deny", { exact: true }).fill("(?i)bot\n(?i)crawler");
  await keep(reader);
  await add(reader, "Compression");
  await page.getByLabel("Enabled").uncheck();
  await keep(reader);
  await add(reader, "Webhook verification");
  await page.getByLabel("Provider").fill("github");
  await page.getByLabel("Signing secret").fill("a secret of the tests");
  await keep(reader);
  await apply(reader);

  const route = await read();
  assert.equal(route.backend?.backend.id, backend.id);
  assert.deepEqual(
    route.ip_restriction?.ip_policies?.map(({ id }) => id),
    [policy.id],
  );
  assert.deepEqual(route.circuit_breaker, {
    enabled: true,
    tripped_duration: 10,
    rolling_window: 10,
    num_buckets: 10,
    volume_threshold: 50,
    error_threshold_percentage: 0.07,
  });
  assert.deepEqual(route.request_headers, {
    enabled: true,
    add: { "X-Edge": "eu: west", "X-Team": "shop" },
    remove: ["X-Debug"],
  });
  assert.deepEqual(route.response_headers, { enabled: true, add: null, remove: ["Server"] });
  assert.deepEqual(route.user_agent_filter, { enabled: true, allow: null, deny: ["(?i)bot", "(?i)crawler"] });
  assert.deepEqual(route.compression, { enabled: false });
  assert.deepEqual(route.webhook_verification, { enabled: true, provider: "github", secret: null });

  await open(reader, hash);
  await page.getByText("Opens for 10 s at 7 % errors").waitFor();
  await page.getByRole("button", { name: "Change User agents" }).click();
  await page.getByLabel("Allow", { exact: true }).fill("^acme/");
  await keep(reader);
  for (const module of ["Circuit breaker", "Compression", "Goes to"]) {
    await page.getByRole("button", { name: `Change ${module}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  }
  await page.getByText("1 change not applied yet").waitFor();
  await apply(reader);
  const changed = await read();
  assert.deepEqual(changed.user_agent_filter?.allow, ["^acme/"]);
  assert.deepEqual(changed.user_agent_filter?.deny, ["(?i)bot", "(?i)crawler"]);
  assert.deepEqual([changed.circuit_breaker, changed.compression, changed.backend], [null, null, null]);
  assert.deepEqual(changed.request_headers, route.request_headers);
  assert.deepEqual(reader.complaints, []);
  await close();
});

test("the modules of a TLS edge have its fields, and no form asks for what cannot be", async () => {
  const { api } = await world();
  const { id } = must(
    await api.POST("/edges/tls", {
      body: { description: "TLS modules", hostports: ["tls-modules.example.com:443"] },
    }),
  );
  const reader = await signedIn(390, "dark");
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Add a step" }).click();
  const items = await page.getByRole("menuitem").allInnerTexts();
  assert.deepEqual(
    items.map((text) => text.split("\n")[0]),
    ["Who gets in", "Client certificates", "Traffic policy", "Goes to", "TLS"],
  );
  await page.keyboard.press("Escape");
  await add(reader, "TLS");
  await page.getByLabel("Terminated").selectOption({ label: "at the backend" });
  await picture(page, "module-tls-390-dark");
  await keep(reader);
  await apply(reader);
  const edge = must(await api.GET("/edges/tls/{id}", { params: { path: { id } } }));
  assert.deepEqual(edge.tls_termination, { enabled: true, terminate_at: "upstream", min_version: null });
  await close();
});

test("no backend and no restriction, chosen in the form of an edge, remove both", async () => {
  const { api } = await world();
  const backend = must(
    await api.POST("/backends/http_response", { body: { description: "Left", status_code: 200 } }),
  );
  const policy = must(await api.POST("/ip_policies", { body: { description: "Left policy" } }));
  const { id } = must(
    await api.POST("/edges/tcp", {
      body: {
        description: "Emptied",
        hostports: ["emptied.example.com:9100"],
        backend: { backend_id: backend.id },
        ip_restriction: { ip_policy_ids: [policy.id] },
      },
    }),
  );
  const reader = await signedIn();
  const { page, close } = reader;
  await open(reader, `#/edges/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Emptied now");
  await page.getByLabel("Goes to").selectOption({ label: "no backend" });
  await page.getByLabel("Left policy").uncheck();
  await keep(reader);
  await apply(reader);
  const edge = must(await api.GET("/edges/tcp/{id}", { params: { path: { id } } }));
  assert.deepEqual([edge.description, edge.backend, edge.ip_restriction], ["Emptied now", null, null]);
  await close();
});

test("wherever the console says who gets in, it says that a certificate is needed", async () => {
  const { api } = await world();
  const [authority] = must(await api.GET("/certificate_authorities")).certificate_authorities;
  const body = {
    description: "With certificates",
    hostports: ["with-certificates.example.com:443"],
    mutual_tls: { certificate_authority_ids: [authority?.id ?? ""] },
  };
  const { id } = must(await api.POST("/edges/https", { body }));
  const params = { path: { edge_id: id } };
  const match = { match_type: "path_prefix", match: "/", description: "Certified" } as const;
  const route = must(await api.POST("/edges/https/{edge_id}/routes", { params, body: match }));
  const reader = await signedIn();
  const { page, close } = reader;
  for (const hash of ["#/map", "#/edges", "#/"]) {
    await open(reader, hash);
    await page
      .locator("li, [role=row]", { hasText: "with-certificates.example.com" })
      .filter({ hasText: "With a certificate: Everybody" })
      .first()
      .waitFor();
  }
  await open(reader, `#/edges/${id}?route=${route.id}`);
  await page.locator(".row", { hasText: "Clients need a certificate" }).waitFor();
  await page.getByLabel("IP address").fill("192.0.2.7");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.locator(".row", { hasText: /with a certificate · no IP restriction/ }).waitFor();
  await close();
});
