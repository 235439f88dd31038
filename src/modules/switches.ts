import * as z from "zod";
import { requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

/** A module that is only on or off. */
const switchModule = <Name extends string>(name: Name, title: string, about: string) =>
  plainModule({
    name,
    title,
    about,
    example: { enabled: true },
    sent: () => requestObject({ enabled: enabled() }),
    shown: () => z.strictObject({ enabled: isEnabled() }),
  });

/** Compresses responses for clients that accept it. */
export const compression = switchModule(
  "compression",
  "compression",
  "Compresses responses with gzip or deflate, as the client's `Accept-Encoding` allows.",
);

/** Turns a websocket's binary frames into a TCP stream. */
export const websocketTcpConverter = switchModule(
  "websocket_tcp_converter",
  "websocket TCP converter",
  "Converts binary WebSocket frames to a TCP stream.",
);
