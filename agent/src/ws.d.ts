/** What the agent uses of ws, which brings no types. */
declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export interface WebSocket extends EventEmitter {
    close(code?: number, reason?: string): void;
    terminate(): void;
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
