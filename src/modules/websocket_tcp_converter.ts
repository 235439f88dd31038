import * as z from "zod";
import type { StoredWebsocketTcpConverter } from "../db/schema.ts";
import { members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const WebsocketTcpConverterModuleMutate = members({ enabled }).meta({
  id: "WebsocketTcpConverterModuleMutate",
});

const WebsocketTcpConverterModule = z
  .strictObject({ enabled: z.boolean() })
  .meta({ id: "WebsocketTcpConverterModule" });

/** Turns a websocket's binary frames into a TCP stream. */
export const websocketTcpConverter: EdgeModule<
  StoredWebsocketTcpConverter,
  z.infer<typeof WebsocketTcpConverterModule>
> = {
  name: "websocket_tcp_converter",
  title: "websocket TCP converter",
  mutate: WebsocketTcpConverterModuleMutate,
  response: WebsocketTcpConverterModule,
  toApi: (stored) => stored,
  references: () => [],
};
