/** The parts of ws that the agent and its tests use. The package has no types. */
declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage } from "node:http";
  import type { RequestOptions } from "node:https";
  import type { Duplex } from "node:stream";

  export class WebSocket extends EventEmitter {
    constructor(url: string, options: RequestOptions);
    send(data: Buffer): void;
    close(code?: number, reason?: string): void;
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: { noServer: true; maxPayload: number; perMessageDeflate: false });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      then: (client: WebSocket) => void,
    ): void;
  }

  export function createWebSocketStream(client: WebSocket): Duplex;
}
