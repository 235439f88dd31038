import type { HonoRequest } from "hono";
import { isObject } from "../../packages/model/src/json.ts";
import { ITEMS } from "../../packages/model/src/values/request_schemas.ts";
import { withTimeout } from "../db/session.ts";
import type { RequestState } from "./env.ts";
import {
  ApiError,
  badRequest,
  invalidMembers,
  tooLarge,
  tooSlow,
  unsupportedEncoding,
  unsupportedMediaType,
} from "./errors.ts";
import { jsonPointer } from "./member_errors.ts";

/** The largest request body accepted, in bytes. */
export const BODY_BYTES = 1_048_576;

/** How long the body may take to arrive, in milliseconds. Tests replace the value. */
export const bodyLimits = { wait: 20_000 };

/** The maximum nesting depth of a request body: far more than any schema needs. */
const DEPTH = 32;

/**
 * The text of a request's body.
 *
 * @throws 415 unless the media type is application/json and the body is not encoded; 408 for a body that takes longer than {@link bodyLimits}; 413 for
 * more than {@link BODY_BYTES}, counted as they arrive, regardless of Content-Length; 400 for an empty body or invalid
 * UTF-8
 */
export async function readText(request: HonoRequest): Promise<string> {
  requireJson(request);
  const encoding = request.header("Content-Encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") throw unsupportedEncoding();
  const tooLate = () => tooSlow(`The body did not arrive within ${bodyLimits.wait / 1000} seconds.`);
  const text = decode(await withTimeout(bodyLimits.wait, readBytes(request), tooLate));
  if (text.trim() === "") throw badRequest("The body is empty. Send a JSON object.");
  return text;
}

/** @throws 415 unless the media type is application/json */
function requireJson(request: HonoRequest): void {
  const [mediaType = ""] = (request.header("Content-Type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") throw unsupportedMediaType();
}

/**
 * The parsed body of a request. The body of an operation of a transaction was parsed together with the transaction.
 *
 * @param received called after the body has arrived, which can take long, and before it is parsed
 * @throws as {@link readText}; 400 for malformed JSON. The error does not quote the body, which may contain secrets
 */
export async function readJson(
  request: HonoRequest,
  part: RequestState["part"],
  received: () => Promise<void>,
): Promise<unknown> {
  if (part?.body !== undefined) {
    requireJson(request);
    return part.body;
  }
  const text = await readText(request);
  await received();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON${syntaxErrorAt(String(error))}.`);
  }
}

/**
 * Removes fields that are `null` from a parsed body, in place: null means "left out" at every depth. (A null in a list
 * stays, because a list item cannot be left out.)
 *
 * @throws 400 for anything but an object, for a list or map of more than {@link ITEMS}, or for more than {@link DEPTH} levels
 */
export function withoutNulls(value: unknown): object {
  if (!isObject(value)) throw badRequest(NOT_AN_OBJECT);
  dropNulls(value, []);
  return value;
}

/** The error for a body that is JSON, but not an object. */
export const NOT_AN_OBJECT = "The body must be a JSON object.";

/** Reads a small body, according to Content-Length, in one go (and checks its actual size); any other in chunks. */
async function readBytes(request: HonoRequest): Promise<Uint8Array> {
  const tooMany = () => tooLarge(`The body is larger than ${BODY_BYTES} bytes.`);
  const claimed = Number(request.header("Content-Length") ?? Number.NaN);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (claimed <= BODY_BYTES) {
      const bytes = new Uint8Array(await request.raw.arrayBuffer());
      if (bytes.byteLength > BODY_BYTES) throw tooMany();
      return bytes;
    }
    const stream: ReadableStream<Uint8Array> | null = request.raw.body;
    for await (const chunk of stream ?? []) {
      size += chunk.byteLength;
      if (size > BODY_BYTES) throw tooMany();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest("The body is incomplete.");
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest("The body is not valid UTF-8.");
  }
}

/** Where the JSON is malformed, if V8's message says so; the rest of that message may quote the body. */
function syntaxErrorAt(message: string): string {
  if (message === "SyntaxError: Unexpected end of JSON input") return ": it ends unexpectedly";
  const [, line, column] = /in JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? "" : `: syntax error at line ${line}, column ${column}`;
}

/** @param path where `value` is in the body; modified during the walk and restored at the end */
function dropNulls(value: object, path: PropertyKey[]): void {
  if (path.length === DEPTH) throw badRequest(`The body is nested more than ${DEPTH} levels deep.`);
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > ITEMS)
    throw invalidMembers([{ path: jsonPointer(path), msg: `Contains more than ${ITEMS} items.` }]);
  for (const [name, member] of entries) {
    if (member === null && isObject(value)) delete value[name];
    if (typeof member !== "object" || member === null) continue;
    path.push(name);
    dropNulls(member, path);
    path.pop();
  }
}
