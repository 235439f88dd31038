import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { choose, must, open, signedInAlone, world } from "./world.ts";

/*
 * What is copied is accepted by the service and by the command `edge`.
 */

const HOSTILE = `it's "quoted", $HOME \`id\` \\ and # more: \u202e✓`;

test("copied requests create equal objects, and copied files are read by edge", async () => {
  const { api, service } = await world();
  const policy = must(await api.POST("/ip_policies", { body: { description: HOSTILE, metadata: "null" } }));
  must(
    await api.POST("/ip_policy_rules", {
      body: { ip_policy_id: policy.id, cidr: "192.0.2.0/24", action: "allow", description: HOSTILE },
    }),
  );
  const backend = must(
    await api.POST("/backends/http_response", {
      body: {
        description: "Copied backend",
        status_code: 404,
        body: "line\nline: 'x'\n",
        headers: { "X-A": "1: 2" },
      },
    }),
  );
  const weighted = must(
    await api.POST("/backends/weighted", {
      body: { description: "7 shares", backends: { [backend.id]: 3 } },
    }),
  );
  const host = `copied-${Date.now()}.example.com`;
  const edge = must(
    await api.POST("/edges/https", { body: { description: "Copied", hostports: [`${host}:443`] } }),
  );
  const route = must(
    await api.POST("/edges/https/{edge_id}/routes", {
      params: { path: { edge_id: edge.id } },
      body: {
        match_type: "path_prefix",
        match: "/",
        backend: { backend_id: weighted.id },
        ip_restriction: { ip_policy_ids: [policy.id] },
        request_headers: { add: { "X-Team": "it's: shop" } },
        webhook_verification: { provider: "github", secret: "a secret of the tests" },
      },
    }),
  );
  const reader = await signedInAlone();
  const { page, context } = reader;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async (hash: string, name: string): Promise<string> => {
    await open(reader, hash);
    await choose(page, "More", name);
    await page.getByText(`Copied the ${name.split(" ").at(-1)}`).waitFor();
    return page.evaluate<string>("navigator.clipboard.readText()");
  };
  const folder = mkdtempSync(join(tmpdir(), "edge-copies-"));
  const variables = { ...process.env, API: service.origin, API_KEY: service.key, SECRET: "another secret" };
  for (const hash of [
    `#/policies/${policy.id}`,
    `#/backends/${backend.id}`,
    `#/backends/${weighted.id}`,
    `#/edges/${edge.id}`,
    `#/edges/${edge.id}?route=${route.id}`,
  ]) {
    const command = await copied(hash, "Copy as a request");
    assert.ok(!command.includes(service.key) && !command.includes("a secret of the tests"));
    const sent = spawnSync("bash", ["-c", `${command} -sS -w '\\n%{http_code}'`], {
      env: variables,
      encoding: "utf8",
    });
    // A second route with the same match, or a second edge with the same host, is a conflict of values, not of form.
    assert.match(sent.stdout, /\n(?:200|201|409)$/, `${hash}: ${sent.stdout}${sent.stderr}`);

    const file = join(folder, "edge.yaml");
    writeFileSync(file, await copied(hash, "Copy as a file"));
    const read = spawnSync(process.execPath, ["packages/cli/bin/edge.js", "diff", file, "--create-all"], {
      env: variables,
      encoding: "utf8",
    });
    assert.equal(read.status, 2, `${hash}: ${read.stdout}${read.stderr}`);
    assert.match(read.stdout, /create/);
  }
  const { rules } = must(await api.GET("/ip_policies/{id}/rules", { params: { path: { id: policy.id } } }));
  assert.deepEqual(
    rules.map(({ cidr, description }) => [cidr, description]),
    [["192.0.2.0/24", HOSTILE]],
  );
  const { backends } = must(await api.GET("/backends/http_response"));
  const twins = backends.filter(({ description }) => description === "Copied backend");
  assert.equal(twins.length, 2);
  assert.deepEqual([twins[0]?.body, twins[0]?.headers], [twins[1]?.body, twins[1]?.headers]);
  rmSync(folder, { recursive: true });
  assert.deepEqual(reader.complaints, []);
  await context.close();
});
