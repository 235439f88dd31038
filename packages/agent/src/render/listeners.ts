import { quote } from "../quote.ts";
import { bracketed } from "./hostport.ts";
import type { Output } from "./output.ts";
import { isAny, type ServedHostport } from "./scope.ts";

/**
 * The `bind` lines for these hostports. An address that all addresses of its family include is not bound again; IPv6
 * listeners never take IPv4 (`v6only`), so that a source always has the family that it came with.
 */
export function bindLines(hostports: readonly ServedHostport[], output: Output): string[] {
  const sockets = new Map(
    hostports.flatMap(({ bind, port }) =>
      bind.map((address) => [
        `${bracketed(address)}:${port}`,
        { address, port, v6only: address.includes(":") },
      ]),
    ),
  );
  const wanted = [...sockets.values()].filter(
    ({ address, port, v6only }) =>
      isAny(address) || !sockets.has(v6only ? `[::]:${port}` : `0.0.0.0:${port}`),
  );
  output.listeners.push(...wanted);
  return wanted.map(
    ({ address, port, v6only }) => `bind ${quote(`${bracketed(address)}:${port}`)}${v6only ? " v6only" : ""}`,
  );
}
