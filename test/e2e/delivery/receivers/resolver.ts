import { type Receiver, startReceiver } from "./http.ts";

/** A DNS-over-HTTPS server (JSON) that returns these addresses by name, and none for other names. */
export const startResolver = (names: Record<string, string[]>): Promise<Receiver> =>
  startReceiver(({ path, headers }) => {
    const { searchParams } = new URL(path, "http://resolver");
    const name = searchParams.get("name") ?? "";
    const type = searchParams.get("type") === "AAAA" ? 28 : 1;
    const addresses = (names[name] ?? []).filter((address) => address.includes(":") === (type === 28));
    // A real resolver first lists the aliases that lead to the addresses.
    const alias = { name, type: 5, TTL: 60, data: "alias.example." };
    const Answer = [alias, ...addresses.map((data) => ({ name: "alias.example.", type, TTL: 60, data }))];
    if (headers.accept !== "application/dns-json") return { status: 415 };
    const body = name in names ? { Status: 0, Answer } : { Status: 3 };
    return { headers: { "Content-Type": "application/dns-json" }, body: JSON.stringify(body) };
  });
