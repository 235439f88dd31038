import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { test } from "node:test";
import { render } from "../../../packages/agent/src/render/render.ts";
import { call, listening } from "./calls.ts";
import {
  certificate,
  folder,
  freePort,
  httpsEdge,
  serve,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";

test("the same snapshot gives the same bytes, and nothing at all a valid configuration", async (t) => {
  await serve(t, {});
  const given = snapshot({
    edges: [tcpEdge("edgtcp_1", ["a.example:1000", "b.example:1000"], "bkdsc_1")],
    backends: { bkdsc_1: { kind: "static", address: "192.0.2.1:80", tls: false } },
  });
  assert.deepEqual(render(given, settings()), render(structuredClone(given), settings()));
});

test("an HTTPS edge: routes by exact path, then by longest prefix; a restricted one refuses with 403", async (t) => {
  const http = createHttpServer((request, response) => response.end(`upstream ${request.url}`));
  const upstream = await listening(t, http);
  const port = await freePort();
  const { pem } = certificate(folder(t), ["shop.example.com"]);
  const backend = { backend_id: "bkdsc_1" };
  const { problems } = await serve(
    t,
    {
      edges: [
        httpsEdge(
          "edghts_1",
          [`shop.example.com:${port}`, `nocert.example.com:${port}`],
          [
            { id: "edghtsrt_root", match_type: "path_prefix", match: "/api", backend },
            {
              id: "edghtsrt_longer",
              match_type: "path_prefix",
              match: "/api/v1",
              backend: { backend_id: "bkdhr_1" },
            },
            { id: "edghtsrt_exact", match_type: "exact_path", match: "/api/v1/exact", backend },
            { id: "edghtsrt_unserved", match_type: "exact_path", match: "/api/unserved" },
            {
              id: "edghtsrt_office",
              match_type: "exact_path",
              match: "/office",
              backend,
              ip_restriction: { ip_policy_ids: ["ipp_office"] },
            },
          ],
        ),
      ],
      ip_policies: { ipp_office: { allow: ["10.0.0.0/8"], deny: [] } },
      backends: {
        bkdsc_1: { kind: "static", address: `127.0.0.1:${upstream}`, tls: false },
        bkdhr_1: { kind: "http_response", status_code: 418, headers: { "x-it": "100 %" }, body: "tea" },
      },
    },
    { certificateFor: (host) => (host === "shop.example.com" ? serverCertificate(pem) : undefined) },
  );
  const get = async (path: string, host = "shop.example.com") => {
    const { status, body } = await call(port, "shop.example.com", path, { headers: { host } });
    return [status, body.toString()];
  };
  assert.deepEqual(
    problems.map(({ object, code }) => [object, code]),
    [["edghts_1", "certificate_missing"]],
  );
  assert.deepEqual(await get("/apix?a=b"), [200, "upstream /apix?a=b"]);
  assert.deepEqual(await get("/api/v1/x"), [418, "tea"]);
  assert.deepEqual(await get("/api/v1/exact"), [200, "upstream /api/v1/exact"]);
  assert.deepEqual(await get("/api/v1/exact?q"), [200, "upstream /api/v1/exact?q"]);
  assert.equal((await get("/api/unserved"))[0], 503);
  assert.equal((await get("/office"))[0], 403);
  assert.equal((await get("/API"))[0], 404);
  assert.equal((await get("/api", "other.example.com"))[0], 421);
  assert.equal((await get("/api", "SHOP.example.com.:1"))[0], 200);
  await assert.rejects(call(port, "nocert.example.com", "/api"));
});
