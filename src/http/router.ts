import { HonoBase } from "hono/hono-base";
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import type { App } from "./env.ts";

/**
 * Hono's trie of routes, in parts that are built when a request needs them: a start then costs the routes of its first request
 * instead of all. A part has the routes that begin with the same one or two segments, and those for shorter paths.
 *
 * For example, `GET /edges/tcp/edgtcp_1` is matched by the trie of `/edges/tcp`: the routes of TCP edges and the middleware.
 */
export class LazyRouter<Handler> implements Router<Handler> {
  readonly name = "LazyRouter";
  readonly #routes: { fixed: string; method: string; path: string; handler: Handler }[] = [];
  /** By the fixed part of routes. */
  readonly #tries = new Map<string, TrieRouter<Handler> | undefined>();

  add(method: string, path: string, handler: Handler): void {
    const [, fixed = ""] = FIXED.exec(path) ?? [];
    this.#routes.push({ fixed, method, path, handler });
    this.#tries.set(fixed, undefined);
  }

  match(method: string, path: string): Result<Handler> {
    const [, first = "", second = ""] = path.split("/", 3);
    // Only the parts that routes have: callers must not be able to fill the memory with tries.
    const part = [`/${first}/${second}`, `/${first}`].find((each) => this.#tries.has(each)) ?? "";
    const trie = this.#tries.get(part) ?? this.#trieOf(part);
    this.#tries.set(part, trie);
    return trie.match(method, path);
  }

  #trieOf(part: string): TrieRouter<Handler> {
    const trie = new TrieRouter<Handler>();
    for (const { fixed, method, path, handler } of this.#routes)
      if (fixed === part || part.startsWith(`${fixed}/`)) trie.add(method, path, handler);
    return trie;
  }
}

/** The first two segments of a route's path, as far as they have neither a parameter nor a wildcard. */
const FIXED = /^((?:\/[^/:*]+(?![^/])){0,2})/;

/**
 * The endpoints of a part of the service, to be added to the app. They are only collected: the app's own router matches every
 * request, so building another one for each part would make every start slower.
 */
export const endpoints = () =>
  new HonoBase<App>({
    router: {
      name: "endpoints that are added to the app",
      add: () => undefined,
      match: () => {
        throw new Error("a part of the service was called without the app");
      },
    },
  });
