import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { bindError } from "../../../packages/agent/src/try_bind.ts";
import { freePort } from "./proxy.ts";

test("a port that HAProxy holds is not taken by others, however fast HAProxy opens and closes connections", async (t) => {
  const port = await freePort();
  const program = `
    const { closeSync, openSync } = require("node:fs");
    const churn = () => {
      for (let n = 0; n < 50; n++)
        Array.from({ length: 50 }, () => openSync("/dev/null")).forEach((descriptor) => closeSync(descriptor));
      setImmediate(churn);
    };
    require("node:net").createServer().listen(${port}, "127.0.0.1", () => {
      console.log("listening");
      churn();
    });`;
  const owner = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => owner.kill("SIGKILL"));
  await once(owner.stdout, "data");
  const listener = { address: "127.0.0.1", port, v6only: false };
  for (let n = 0; n < 100; n++) assert.equal(await bindError(listener, [owner.pid ?? 0]), undefined, `${n}`);
  assert.equal(await bindError(listener, [process.pid]), "EADDRINUSE", "another process does not hold it");
});
