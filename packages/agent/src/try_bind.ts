import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { codeOf } from "./refusal.ts";
import type { Listener } from "./render/render.ts";

/*
 * Whether HAProxy could listen on an address. It finds out for itself only in a reload, during which nothing is served.
 */

/** Listens for an instant. Resolves to the code of the system's error, such as EADDRINUSE; undefined if it could listen. */
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
 * Why an address cannot be listened on: the code of the system's error; undefined if it can.
 *
 * @param owners processes that may hold it already, as a reload hands their listeners over
 */
export async function bindError(listener: Listener, owners: readonly number[]): Promise<string | undefined> {
  const code = await tryBind(listener);
  if (code !== "EADDRINUSE" || owners.length === 0) return code;
  const held = listenersOn(listener);
  const own = new Set(owners.flatMap(socketsOf));
  return held.length > 0 && held.every((inode) => own.has(inode)) ? undefined : code;
}

const LISTEN = "0A";

/** Inodes of the sockets that listen on a port, on the listener's address or one that overlaps it. See proc(5). */
function listenersOn({ address, port, v6only }: Listener): string[] {
  const isSix = address.includes(":");
  const tables = isSix ? (v6only ? ["tcp6"] : ["tcp", "tcp6"]) : ["tcp", "tcp6"];
  return tables.flatMap((table) =>
    rowsOf(table).flatMap(([, local = "", , state, , , , , , inode = ""]) => {
      const [host = "", hexPort = ""] = local.split(":");
      if (state !== LISTEN || parseInt(hexPort, 16) !== port) return [];
      // An IPv6 socket conflicts with an IPv4 address only if it listens on both; HAProxy's never do.
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

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}
