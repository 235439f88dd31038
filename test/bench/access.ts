// Checks the access of addresses by a policy with a million rules: node test/bench/access.ts. Takes about 30 seconds;
// writes no files.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./database.ts";
import { Client } from "./load.ts";
import { idSchema } from "./operations.ts";
import { meteredText } from "./side_by_side.ts";
import { startWorkers } from "./workers.ts";

const RULES = 1_000_000;
const POLICIES = 1_000;
const ROUNDS = 20;
const ROOT_KEY = "root-key-of-the-bench";

const folder = mkdtempSync(join(tmpdir(), "edge-configuration-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const workers = await startWorkers(
  [{ name: "service", source: { text: meteredText("service") }, bindings: { ROOT_API_KEY: ROOT_KEY } }],
  folder,
);
const client = new Client(await workers.origin("service"));
const database = await workers.database("service");
await prepare(database, POLICIES);

const policy = idSchema("ipp_", 1);
const edge = idSchema("edgtcp_", 1);
/** Half of the rules are for IPv4 addresses, half for IPv6. All are different, and half of them allow. */
for (let from = 1; from <= RULES; from += 100_000)
  await database
    .prepare(
      `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${from + 99_999})
       insert into ip_policy_rules (id, created_at, cidr, ip_policy_id, action)
       select printf('ipr_z%026d', i), '2026-01-02T03:04:05Z',
       iif(i % 2, printf('10.%d.%d.%d/32', i >> 16, (i >> 8) & 255, i & 255), printf('2001:db8::%x:%x/128', (i >> 16) + 1, (i & 65535) + 1)),
       '${policy}', iif(i % 4 < 2, 'allow', 'deny') from n`,
    )
    .run();
const policies = Array.from({ length: POLICIES }, (_, i) => idSchema("ipp_", i + 1));
await database
  .prepare("update tcp_edges set ip_restriction = ? where id = ?")
  .bind(JSON.stringify({ enabled: true, ip_policy_ids: policies }), edge)
  .run();

const headers = { Authorization: `Bearer ${ROOT_KEY}`, "Service-Version": "2" };
console.info(
  `${RULES.toLocaleString("en")} rules in one policy; an edge with ${POLICIES.toLocaleString("en")} policies.`,
);
for (const path of [
  `/ip_policies/${policy}/access?ip=10.0.1.1`,
  `/ip_policies/${policy}/access?ip=192.0.2.1`,
  `/ip_policies/${policy}/access?ip=2001:db8::3:4`,
  `/ip_policies/${policy}/access?ip=::1`,
  `/edges/tcp/${edge}/access?ip=10.0.1.1`,
  `/edges/tcp/${idSchema("edgtcp_", 2)}/access?ip=192.0.2.1`,
  `/ip_policy_rules?ip_policy_id=${policy}`,
  `/ip_policy_rules?ip_policy_id=${policy}&before_id=ipr_z${"500000".padStart(26, "0")}&limit=10`,
]) {
  const times: number[] = [];
  let summary = "";
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const { status, text, headers: answered } = await client.send({ method: "GET", path, headers });
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    const { reason = "page", rules = [] } = JSON.parse(text);
    summary = `${reason}, ${rules.length} rules; ${String(answered["bench-cost"])}`;
  }
  const median = times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
  console.info(`${path}\n  ${summary}; ${median.toFixed(1)} ms`);
}
client.close();
await workers.dispose();
