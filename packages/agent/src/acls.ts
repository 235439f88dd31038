import { join } from "node:path";
import { stepsBetween } from "./acl_steps.ts";
import { ask, messages } from "./admin_socket.ts";
import { log } from "./log.ts";
import type { Processes } from "./processes.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** Contents of ACL files by path within a release. */
type Contents = ReadonlyMap<string, string>;

/** The ACL files in the memory of HAProxy's workers. */
export class Acls {
  readonly #masterSocket: string;
  readonly #state: State;

  constructor(masterSocket: string, state: State) {
    this.#masterSocket = masterSocket;
    this.#state = state;
  }

  /**
   * Replaces the content of ACL files in the memory of all workers. A worker never sees part of a file.
   *
   * @param found HAProxy's processes
   * @param directory of the release that the current workers have loaded
   * @param before the content that the workers have now, by path within the release
   * @param files the new content
   * @throws Refusal if a current worker does not have them all
   */
  async replaceAll(found: Processes, directory: string, before: Contents, files: Contents): Promise<void> {
    const steps = stepsBetween(before, files);
    const replaceIn = async (pid: number, ids: ReadonlyMap<string, string>): Promise<void> => {
      for (const step of steps) await this.#replace(pid, this.#byId(ids, step));
    };
    for (const pid of found.current) {
      const ids = await this.#aclIds(pid);
      for (const path of files.keys())
        if (!ids.has(join(directory, path))) throw new Refusal(`HAProxy process ${pid} has no ACL ${path}.`);
      await replaceIn(pid, ids);
    }
    for (const pid of found.old)
      await this.#aclIds(pid)
        .then((ids) => replaceIn(pid, ids))
        .catch((error: unknown) =>
          log(`The old HAProxy process ${pid} keeps its previous rules until it exits: ${reasonOf(error)}`),
        );
  }

  /** The ids of a worker's ACLs, by the path of the file that it loaded each from. */
  async #aclIds(pid: number): Promise<Map<string, string>> {
    const answer = await ask(this.#masterSocket, `@!${pid} show acl`);
    return new Map(
      [...answer.matchAll(/^(\d+) \((\/[^)]*)\)/gm)].map(([, id = "", path = ""]) => [path, id]),
    );
  }

  /** @param contents by the id of the ACL */
  async #replace(pid: number, contents: ReadonlyMap<string, string>): Promise<void> {
    const run = await this.#runner(pid);
    const commits: string[] = [];
    for (const [id, content] of contents) {
      const entries = content.split("\n").filter((line) => line !== "");
      const prepared = (await run([`prepare acl #${id}`])).join("");
      const [, version] = /created: (\d+)/.exec(prepared) ?? [];
      if (version === undefined) throw new Refusal(`prepare acl: ${prepared.trim()}`);
      await run(entries.map((entry) => `add acl @${version} #${id} ${entry}`));
      // A failed command does not stop the commands after it, so count the entries, and commit all of them or none.
      const shown = (await run([`show acl @${version} #${id}`])).join("");
      const count = shown.split("\n").filter((line) => line.startsWith("0x")).length;
      if (count !== entries.length) {
        await run([`clear acl @${version} #${id}`]);
        throw new Refusal(`HAProxy accepted only ${count} of ${entries.length} rules.`);
      }
      commits.push(`commit acl @${version} #${id}`);
    }
    const said = (await run(commits)).join("").trim();
    if (said !== "") throw new Refusal(`commit acl: ${said}`);
  }

  /**
   * Resolves to a function that sends commands to a worker, several in each message. The worker's own socket is ten times faster
   * than the master's, which forwards each command separately, but only the current worker listens on it.
   */
  async #runner(pid: number): Promise<(commands: readonly string[]) => Promise<string[]>> {
    const own = join(this.#state.sockets, "admin");
    const info = await ask(own, "show info").catch(() => "");
    const isOwn = new RegExp(`^Pid: ${pid}$`, "m").test(info);
    const [socket, prefix] = isOwn ? [own, ""] : [this.#masterSocket, `@!${pid} `];
    return async (commands) => {
      const answers: string[] = [];
      for (const message of messages(commands.map((command) => prefix + command)))
        answers.push(await ask(socket, message));
      return answers;
    };
  }

  /** Contents by the id that a worker has for each, whichever release the worker has loaded. */
  #byId(ids: ReadonlyMap<string, string>, files: Contents): Map<string, string> {
    const contents = new Map<string, string>();
    const within = `${this.#state.releases}/`;
    for (const [path, id] of ids) {
      if (!path.startsWith(within)) continue;
      const content = files.get(path.slice(path.indexOf("/", within.length) + 1));
      if (content !== undefined) contents.set(id, content);
    }
    return contents;
  }
}
