import { quote } from "../base/quote.ts";
import type { Listener } from "./contract.ts";
import { bracketed } from "./hostport.ts";
import type { Output } from "./output.ts";
import type { ServedHostport } from "./parts.ts";
import { isAny } from "./port_owners.ts";

/**
 * The `bind` lines for these hostports. A wildcard address replaces the other addresses of its family. IPv6 listeners never accept
 * IPv4 (`v6only`), so a source's family is always the one that it connected with.
 */
export function bindLines(
  hostports: readonly Pick<ServedHostport, "bind" | "port">[],
  output: Output,
): string[] {
  const sockets = new Map<string, Listener>();
  let last: Pick<ServedHostport, "bind" | "port"> | undefined;
  for (const one of hostports) {
    const { bind, port } = one;
    // Most listen on all addresses.
    if (bind === last?.bind && port === last.port) continue;
    last = one;
    for (const address of bind) {
      const key = `${bracketed(address)}:${port}`;
      if (!sockets.has(key)) sockets.set(key, { address, port, v6only: address.includes(":") });
    }
  }
  const wanted = [...sockets.values()].filter(
    ({ address, port, v6only }) =>
      isAny(address) || !sockets.has(v6only ? `[::]:${port}` : `0.0.0.0:${port}`),
  );
  for (const listener of wanted) output.add({ is: "listener", listener });
  return wanted.map(
    ({ address, port, v6only }) => `bind ${quote(`${bracketed(address)}:${port}`)}${v6only ? " v6only" : ""}`,
  );
}
