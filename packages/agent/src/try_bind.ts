import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { codeOf } from "./refusal.ts";
import type { Listener } from "./render/render.ts";

/*
 * Whether HAProxy could listen on an address. Without this check, it would only find out during a reload that fails.
 */

/** Listens for an instant. Resolves to the system error code, such as EADDRINUSE, or undefined on success. */
function tryBind({ address, port, v6only }: Listener): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => resolve(codeOf(error) ?? error.message));
    server.listen({ host: address, port, ipv6Only: v6only, exclusive: true, backlog: 1 }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

/**
 * Resolves to the system error code if HAProxy could not listen on an address.
 *
 * @param owners processes that can hold the address already: a reload hands over their listeners
 */
export async function bindError(listener: Listener, owners: readonly number[]): Promise<string | undefined> {
  const code = await tryBind(listener);
  if (code !== "EADDRINUSE" || owners.length === 0) return code;
  const held = listenersOn(listener);
  const own = new Set(owners.flatMap(socketsOf));
  return held.length > 0 && held.every((inode) => own.has(inode)) ? undefined : code;
}

const LISTEN = "0A";

/** Inodes of the sockets that listen on the listener's port, on the same or an overlapping address. See proc(5). */
function listenersOn({ address, port, v6only }: Listener): string[] {
  const isSix = address.includes(":");
  const tables = isSix ? (v6only ? ["tcp6"] : ["tcp", "tcp6"]) : ["tcp", "tcp6"];
  return tables.flatMap((table) =>
    rowsOf(table).flatMap(([, local = "", , state, , , , , , inode = ""]) => {
      const [host = "", hexPort = ""] = local.split(":");
      if (state !== LISTEN || parseInt(hexPort, 16) !== port) return [];
      // An IPv6 socket only conflicts with an IPv4 address if it listens on both families. HAProxy's sockets never do.
      if (!isSix && table === "tcp6" && !/^0+$/.test(host)) return [];
      return [inode];
    }),
  );
}

function rowsOf(table: string): string[][] {
  try {
    const [, ...lines] = readFileSync(`/proc/net/${table}`, "utf8").trim().split("\n");
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}

/** Inodes of a process's sockets. */
function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => socketAt(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return [];
  }
}

/** The inode of a descriptor's socket. A busy process closes descriptors while the list of them is read: that concerns no other. */
function socketAt(link: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(link)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}
