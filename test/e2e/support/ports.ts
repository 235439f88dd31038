import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/**
 * Below the ports that the system assigns to outgoing connections (Linux: from 32768), which could otherwise use a port first.
 */
const [LOWEST, HIGHEST] = [20_000, 32_000] as const;

const given = new Set<number>();

/** A port on which nothing listens, on any address, and which was not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "::", () => server.close(() => resolve(true)));
  });
}

/** Starts a server on loopback, at a port that the system picks. Returns the port. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
