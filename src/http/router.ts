import { HonoBase } from "hono/hono-base";
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import type { App } from "./env.ts";

/**
 * Hono's router, divided into tries that are built when a request first needs them. So a start only adds the routes that its first
 * request needs. A trie has the routes that begin with the same one or two segments, and the routes with shorter prefixes.
 *
 * For example, `GET /edges/tcp/edgtcp_1` is matched by the trie of `/edges/tcp`: the routes of TCP edges and the middleware.
 */
export class LazyRouter<Handler> implements Router<Handler> {
  readonly name = "LazyRouter";
  readonly #routes: { fixed: string; method: string; path: string; handler: Handler }[] = [];
  /** By the fixed prefix of their routes. Undefined until a request needs the trie. */
  readonly #tries = new Map<string, TrieRouter<Handler> | undefined>();

  add(method: string, path: string, handler: Handler): void {
    const [, fixed = ""] = FIXED.exec(path) ?? [];
    this.#routes.push({ fixed, method, path, handler });
    this.#tries.set(fixed, undefined);
  }

  match(method: string, path: string): Result<Handler> {
    const [, first = "", second = ""] = path.split("/", 3);
    // Only for prefixes that routes have: callers must not be able to fill the memory with tries.
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

/** The first segments of a route's path without parameters and wildcards, two at most. */
const FIXED = /^((?:\/[^/:*]+(?![^/])){0,2})/;

/**
 * Declares the endpoints of a part of the service, to be added to the app. The part has no router of its own, because the app's
 * router matches every request. Building unused routers would make every start slower.
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
