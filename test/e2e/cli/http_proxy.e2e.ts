import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { listen } from "../support/ports.ts";
import { edge, fails, type TestService, withServices } from "./services.ts";

/*
 * Requests through the HTTP proxy of the environment.
 */

let service: TestService;
withServices((started) => (service = started));

/** A proxy on loopback that counts what passes. */
async function startProxy() {
  const passed: string[] = [];
  const server = createServer((asked, answer) => {
    passed.push(`${asked.method} ${asked.url}`);
    const { method, headers } = asked;
    const onward = request(
      asked.url ?? "",
      { ...(method !== undefined && { method }), headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    asked.pipe(onward);
  });
  server.on("connect", (asked, socket, head: Buffer) => {
    passed.push(`CONNECT ${asked.url}`);
    const [host, port] = (asked.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) each.on("error", () => onward.destroy());
  });
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${await listen(server)}`, passed, stop };
}

test("requests pass through the proxy that the environment names, except to hosts in NO_PROXY", async (t) => {
  const proxy = await startProxy();
  t.after(proxy.stop);
  const environment = { HTTP_PROXY: proxy.url };
  const { code, stdout, stderr } = await edge(service, ["whoami"], { env: environment });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /role: admin/);
  assert.ok(proxy.passed.length > 0);
  const before = proxy.passed.length;
  const direct = await edge(service, ["whoami"], { env: { ...environment, NO_PROXY: "127.0.0.1" } });
  assert.equal(direct.code, 0, direct.stderr);
  assert.equal(proxy.passed.length, before);
});

test("an error says that a proxy is in between", async () => {
  const environment = { http_proxy: "http://127.0.0.1:9" };
  await fails(service, ["whoami"], new RegExp(`^Cannot reach ${service.url} \\(\\$HTTP_PROXY is set\\): `), {
    env: environment,
  });
});
