import { HonoBase } from "hono/hono-base";
import type { App } from "./env.ts";

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
