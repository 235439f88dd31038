import assert from "node:assert/strict";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { before, test } from "node:test";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { ownResponse } from "../../../packages/model/src/policy/own_responses.ts";
import { matchFault, placeOf } from "../../../packages/model/src/traffic/paths.ts";
import { oddRoute, oddTarget, respelled } from "../../support/odd_paths.ts";
import { freePort } from "../support/ports.ts";
import { eventually, sharedWorld, type World } from "./world.ts";

/*
 * A law of simulations: whatever the path and the Host header are, a request gets what POST /simulations says, over HTTP/1.1 and
 * HTTP/2. The service accepts a route exactly if its match can be read and no other route has the same reading.
 */

const HOST = "odd.paths.test";
const ROUTES = 50;
const TARGETS = 200;
const seed = Number(process.env["PATHS_SEED"] ?? 1);

let world: World;
before(async () => {
  world = await sharedWorld();
});

/** What a client gets: a status and a body. */
type Got = string;

const options = (port: number) => ({ port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false });

/** Sends a request over HTTP/1.1, byte for byte. */
function overHttp1(port: number, target: string, hosts: string[]): Promise<Got> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...options(port), ALPNProtocols: ["http/1.1"] }, () => {
      const lines = [`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), "Connection: close"];
      socket.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`));
    });
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => {
      const [, body = ""] = text.split("\r\n\r\n");
      // HAProxy's parser of HTTP/1.1 has responses of its own, which cannot be configured.
      const isOfParser = body.startsWith("<html><body><h1>400 Bad request</h1>");
      resolve(`${text.slice(9, 12)} ${isOfParser ? ownResponse(400).body : body}`);
    });
  });
}

/** Sends a request over HTTP/2. A stream that HAProxy's parser resets is a 400. */
function overHttp2(session: ClientHttp2Session, target: string): Promise<Got> {
  return new Promise((resolve) => {
    const path = Buffer.from(target).toString("latin1");
    const stream = session.request({ ":path": path, ":authority": HOST });
    let status = "400";
    let body: string = ownResponse(400).body;
    stream.on("response", (headers) => ([status, body] = [String(headers[":status"]), ""]));
    stream.on("data", (data: Buffer) => (body += data.toString()));
    stream.on("error", () => undefined);
    stream.on("close", () => resolve(`${status} ${body}`));
  });
}

/** What the service says. */
async function simulated(port: number, target: string, hosts: string[]): Promise<Got> {
  const url = `https://${HOST}:${port}${target}`;
  const headers = hosts.map((host) => ["host", host]);
  const { outcome } = Object(
    await world.service.call("POST", "/simulations", { request: { url, headers, source_ip: "127.0.0.1" } }),
  );
  assert.equal(outcome.kind, "response", JSON.stringify(outcome));
  return `${outcome.status_code} ${outcome.body}`;
}

/** Not the prefix of all paths: some lead to no route. */
const route = oddRoute.filter((drawn) => placeOf(drawn)?.path !== "/");

/** Creates routes with odd matches; those that the model accepts, and no others, are accepted. */
async function givenRoutes(edge: string): Promise<string[]> {
  const accepted: string[] = [];
  const places = new Set<string>();
  for (const [index, drawn] of fc.sample(route, { numRuns: ROUTES, seed }).entries()) {
    const key = JSON.stringify(placeOf(drawn));
    const expected = matchFault(drawn) !== undefined ? 400 : places.has(key) ? 409 : 201;
    const { id } = await world.given.fixedResponse({ body: String(index), status_code: 200 });
    const body = { ...drawn, backend: { backend_id: id } };
    const { response } = await world.service.api.POST("/edges/https/{edge_id}/routes", {
      params: { path: { edge_id: edge } },
      body,
    });
    assert.equal(response.status, expected, JSON.stringify(drawn));
    if (expected !== 201) continue;
    places.add(key);
    accepted.push(drawn.match);
  }
  return accepted;
}

test("requests with odd paths and hosts get what simulations say", async () => {
  const port = await freePort();
  world.certificateFor(HOST);
  const { id } = await world.given.httpsEdge({ hostports: [`${HOST}:${port}`] });
  const matches = await givenRoutes(id);
  assert.ok(matches.length > 15, String(matches.length));
  const { problems } = await world.applied();
  assert.deepEqual(
    problems.filter(({ object }) => object === id),
    [],
  );
  await eventually(async () =>
    assert.equal(await overHttp1(port, "/%zz", [HOST]), `400 ${ownResponse(400).body}`),
  );
  // A URL has no fragment and no control characters in a simulation.
  const target = fc
    .oneof(oddTarget, fc.constantFrom(...matches).chain(respelled))
    .filter((each) => !/[#\s\p{Cc}]/u.test(each));
  const seen = new Map<string, number>();
  const session = connectHttp2(`https://${HOST}:${port}`, {
    createConnection: () => connectTls({ ...options(port), ALPNProtocols: ["h2"] }),
  });
  for (const each of fc.sample(target, { numRuns: TARGETS, seed })) {
    const expected = await simulated(port, each, []);
    assert.equal(await overHttp1(port, each, [HOST]), expected, `HTTP/1.1 ${JSON.stringify(each)}`);
    assert.equal(await overHttp2(session, each), expected, `HTTP/2 ${JSON.stringify(each)}`);
    const status = expected.slice(0, 3);
    seen.set(status, (seen.get(status) ?? 0) + 1);
  }
  session.destroy();
  for (const status of ["200", "400", "404"]) assert.ok((seen.get(status) ?? 0) > TARGETS / 20, status);

  for (const hosts of [
    [HOST],
    [`${HOST}:${port}`],
    [`${HOST}:1`],
    [`${HOST}:`],
    [`${HOST}:99999999`],
    [`${HOST.toUpperCase()}..`],
    [`${HOST}:abc`],
    [`${HOST}:80a`],
    [`${HOST} a`],
    [`${HOST}:@other.paths.test`],
    [`${HOST}/`],
    [`${HOST}, ${HOST}`],
    ["other.paths.test"],
    ["127.0.0.1"],
    ["[::1]:1"],
    ["::1"],
    [""],
    [HOST, HOST],
    [HOST, `${HOST}:${port}`],
    [HOST, "other.paths.test"],
  ]) {
    const answer = await overHttp1(port, "/%61//nobody", hosts);
    const expected = await simulated(port, "/%61//nobody", hosts);
    // HAProxy 3 itself rejects characters that no host has.
    const isRejected = hosts.some((host) => /[^\w.:[\]-]/.test(host)) && answer.startsWith("400 ");
    if (!isRejected) assert.equal(answer, expected, JSON.stringify(hosts));
  }
});
