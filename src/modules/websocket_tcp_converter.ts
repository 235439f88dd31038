import * as z from "zod";
import type { StoredWebsocketTcpConverter } from "../db/schema.ts";
import { requestObject } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description = "Converts binary WebSocket frames to a TCP stream.";
const examples = [{ enabled: true }];

const WebsocketTcpConverterModuleMutate = z.lazy(() =>
  requestObject({ enabled: enabled() }).meta({
    id: "WebsocketTcpConverterModuleMutate",
    description,
    examples,
  }),
);

const WebsocketTcpConverterModule = z.lazy(() =>
  z.strictObject({ enabled: isEnabled() }).meta({ id: "WebsocketTcpConverterModule", description, examples }),
);

/** Turns a websocket's binary frames into a TCP stream. */
export const websocketTcpConverter: EdgeModule<
  "websocket_tcp_converter",
  StoredWebsocketTcpConverter,
  z.output<typeof WebsocketTcpConverterModule>
> = {
  name: "websocket_tcp_converter",
  title: "websocket TCP converter",
  about: description,
  mutate: WebsocketTcpConverterModuleMutate,
  response: WebsocketTcpConverterModule,
  toApi: (stored) => stored,
};
