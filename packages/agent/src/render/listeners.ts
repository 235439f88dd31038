import { quote } from "../quote.ts";
import { bracketed } from "./hostport.ts";
import type { Output } from "./output.ts";
import { isAny, type ServedHostport } from "./scope.ts";

/**
 * The `bind` lines for these hostports. A wildcard address replaces the other addresses of its family. IPv6 listeners never accept
 * IPv4 (`v6only`), so a source's family is always the one that it connected with.
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
