import { createServer } from "node:net";

/** Below the ports that the system gives to outgoing connections (Linux: 32768 and up), which could take one meanwhile. */
const [LOWEST, HIGHEST] = [20_000, 32_000] as const;

const given = new Set<number>();

/** A port on which nothing listens, on any address, and that was not given before. */
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
