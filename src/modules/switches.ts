import * as z from "zod";
import { requestObject, schema } from "../../packages/model/src/values/members.ts";
import type { StoredSwitch } from "../db/stored.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

/** A module that is only on or off. `type` begins the names of its schemas. */
function switchModule<Name extends string>(
  name: Name,
  title: string,
  type: string,
  description: string,
): EdgeModule<Name, StoredSwitch, { enabled: boolean }> {
  const examples = [{ enabled: true }];
  return {
    name,
    title,
    about: description,
    mutate: schema(`${type}ModuleMutate`, () => ({
      description,
      examples,
      type: requestObject({ enabled: enabled() }),
    })),
    response: schema(`${type}Module`, () => ({
      description,
      examples,
      type: z.strictObject({ enabled: isEnabled() }),
    })),
    toApi: (stored) => stored,
  };
}

/** Compresses responses for clients that accept it. */
export const compression = switchModule(
  "compression",
  "compression",
  "Compression",
  "Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows.",
);

/** Turns a websocket's binary frames into a TCP stream. */
export const websocketTcpConverter = switchModule(
  "websocket_tcp_converter",
  "websocket TCP converter",
  "WebsocketTcpConverter",
  "Converts binary WebSocket frames to a TCP stream.",
);
