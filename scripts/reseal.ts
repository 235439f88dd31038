// Reseals every secret with the first key of SEALING_KEYS: npm run reseal -- --url https://… --key … [--before …]
// It can be interrupted. To resume, pass the --before that the last line prints.
import { parseArgs } from "node:util";
import type { paths } from "edge-configuration-client";
import createClient from "openapi-fetch";

const USAGE = "Usage: npm run reseal -- --url https://… --key … [--before ID]";

const { values: options } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8787" },
    key: { type: "string", default: process.env["ROOT_API_KEY"] ?? "" },
    before: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.info(USAGE);
  process.exit();
}
const api = createClient<paths>({
  baseUrl: options.url,
  headers: { Authorization: `Bearer ${options.key}`, "Service-Version": "2" },
});

let before = options.before;
let [looked, resealed, unopened] = [0, 0, 0];
for (;;) {
  const { data, error } = await api.POST("/sealed_secrets/reseal", {
    body: before ? { before_id: before } : {},
  });
  if (error) throw new Error(error.msg);
  looked += data.looked_at;
  resealed += data.resealed;
  unopened += data.unopened.length + data.unwritten.length;
  for (const id of data.unopened) console.error(`no key opens a secret of ${id}`);
  for (const id of data.unwritten) console.error(`${id} was changed in the meantime: run this again`);
  console.info(
    `${looked} checked, ${resealed} resealed, resume with --before ${data.next_before_id ?? "(done)"}`,
  );
  if (data.next_before_id === null) break;
  before = data.next_before_id;
}
if (unopened > 0) process.exitCode = 1;
