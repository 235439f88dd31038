import type { Json } from "./json.ts";

/*
 * Operations of transactions and plans. `more` is an operation's name or its if_match.
 */

interface Operation {
  method: string;
  path: string;
  body?: Json;
  [more: string]: unknown;
}

const withBody =
  (method: string) =>
  (path: string, body: Json = {}, more: Json = {}): Operation => ({ method, path, body, ...more });

export const toPost = withBody("POST");
export const toPatch = withBody("PATCH");
export const toPut = withBody("PUT");
export const toDelete = (path: string, more: Json = {}): Operation => ({ method: "DELETE", path, ...more });
