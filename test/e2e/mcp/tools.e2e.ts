import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect, eras, type Mcp, startMcp } from "./service.ts";

let mcp: Mcp;
before(async () => (mcp = await startMcp()));
after(() => mcp?.stop());

for (const era of eras)
  describe(`a client of ${era}`, () => {
    test("finds objects", async () => {
      const { id } = await mcp.api("POST", "/ip_policies", { description: "Lisbon office" });
      const client = await connect(mcp.origin, mcp.keys["viewer"] ?? "", era);
      const result = await client.callTool({ name: "find", arguments: { kind: "ip_policy" } });
      assert.match(JSON.stringify(result.structuredContent), new RegExp(id));
      await client.close();
    });
  });
