// What an independent evaluator of CEL says. It gets functions instead of maps, and bytes as characters.
import { CelScalar, celFunc, listType, run } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { bytesOf, type Situation } from "../../../../packages/model/src/policy/evaluate.ts";

function decoded(text: string): string {
  if (/%(?![0-9a-fA-F]{2})|%00/.test(text)) throw new Error("A bad escape.");
  return Buffer.from(text, "latin1")
    .toString("latin1")
    .replaceAll(/%(..)/g, (_all: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const linesIn = (lines: readonly (readonly [string, string])[], name: string): string[] =>
  lines.flatMap(([each, value]) => (each === name ? [value] : []));

function inRange(ip: string, range: string): boolean {
  const [network = "", bits = ""] = range.split("/");
  if (network.includes(":")) return false;
  const numberOf = (text: string): number =>
    text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return (
    Math.floor(numberOf(ip) / 2 ** (32 - Number(bits))) ===
    Math.floor(numberOf(network) / 2 ** (32 - Number(bits)))
  );
}

/** True, false, or undefined for an error. */
export function oracle(
  text: string,
  { method, target, headers, client, server, response }: Situation,
): boolean | undefined {
  const [rawPath = "", ...rest] = target.split("?");
  const query = rest.join("?");
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "")
    .map(
      (pair) =>
        [pair.split("=", 1)[0] ?? "", pair.includes("=") ? pair.slice(pair.indexOf("=") + 1) : ""] as const,
    );
  const parameters = (): typeof pairs => {
    if (query.split("&").some((pair) => /[%+]/.test(pair.split("=", 1)[0] ?? "")))
      throw new Error("An encoded name.");
    return pairs;
  };
  const cookies = linesIn(headers, "cookie")
    .flatMap((line) => line.split(";"))
    .filter((pair) => pair.includes("="))
    .map(
      (pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair.slice(pair.indexOf("=") + 1).trim()] as const,
    );
  const only = <Value>(values: Value[]): Value => {
    const [value] = values;
    if (value === undefined || values.length > 1) throw new Error("Not exactly one.");
    return value;
  };
  const { BOOL, STRING } = CelScalar;
  const textList = listType(STRING);
  const funcs = [
    ...strings,
    celFunc("getReqHeader", [STRING], textList, (name: string) => linesIn(headers, name)),
    celFunc("hasReqHeader", [STRING], BOOL, (name: string) => linesIn(headers, name).length > 0),
    celFunc("getResHeader", [STRING], textList, (name: string) => linesIn(response?.headers ?? [], name)),
    celFunc("getQueryParam", [STRING], textList, (name: string) =>
      linesIn(parameters(), name)
        .slice(0, 1)
        .map((value) => decoded(value.replaceAll("+", " "))),
    ),
    celFunc("hasQueryParam", [STRING], BOOL, (name: string) => linesIn(parameters(), name).length > 0),
    celFunc("getReqCookie", [STRING], STRING, (name: string) => only(linesIn(cookies, name))),
    celFunc("hasReqCookie", [STRING], BOOL, (name: string) => linesIn(cookies, name).length > 0),
    celFunc("inCidrRange", [STRING, STRING], BOOL, inRange),
    celFunc("inCidrRanges", [STRING, textList], BOOL, (ip: string, ranges: Iterable<unknown>) =>
      [...ranges].some((range) => typeof range === "string" && inRange(ip, range)),
    ),
  ];
  const url = new Map<string, unknown>([
    ["raw_path", rawPath],
    ["uri", target],
    ["query", query],
  ]);
  try {
    url.set("path", decoded(rawPath));
  } catch {
    // Asking for it is an error then.
  }
  try {
    url.set("query_params", new Map(parameters().map(([name]) => [name, true])));
  } catch {
    // Likewise.
  }
  const length = linesIn(headers, "content-length")[0];
  const type = linesIn(headers, "content-type")[0];
  const host = linesIn(headers, "host")[0];
  const request = new Map<string, unknown>([
    ["method", method],
    ["url", url],
    ["headers", new Map(headers.map(([name]) => [name, true]))],
    ["cookies", new Map(cookies.map(([name]) => [name, true]))],
    ["user_agent", linesIn(headers, "user-agent")[0] ?? ""],
    ...(length === undefined ? [] : [["content_length", BigInt(length)] as const]),
    ...(host === undefined ? [] : [["host", host] as const]),
    ...(type === undefined
      ? []
      : [["content_type", (type.split(";", 1)[0] ?? "").trim().toLowerCase()] as const]),
  ]);
  const connection = new Map<string, unknown>([
    ["client_ip", client.ip],
    ["server_port", BigInt(server.port)],
  ]);
  const bindings = {
    req: request,
    conn: connection,
    res: new Map<string, unknown>([["status_code", BigInt(response?.status ?? 0)]]),
  };
  try {
    const value = run(bytesOf(text), bindings as never, { funcs });
    return typeof value === "boolean" ? value : undefined;
  } catch {
    return undefined;
  }
}
