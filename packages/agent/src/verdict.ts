import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { LARGEST_ANSWER } from "./admin_socket.ts";
import { elapsed } from "./base/clock.ts";
import { reasonOf, Refusal } from "./refusal.ts";
import type { Rendered } from "./render/contract.ts";

/*
 * HAProxy's verdict on a configuration. Only an exit status of 1 with an error that names a line of the configuration is a verdict.
 * Anything else says nothing about the configuration: HAProxy was killed, is being upgraded, or the machine has no memory.
 */

const CHECK_TIMEOUT = 180_000;
const REJECTED = 1;
const MOST_ALERTS = 5;

/** Ends of HAProxy's errors that are the machine's fault, although they name a line. */
const OF_THE_MACHINE =
  /(?:out of memory|not enough memory|cannot allocate memory|(?:failed|unable) to allocate [\w ]+|too many open files|no space left on device|input\/output error)[.)\s]*$/i;

/** The result of a check. */
export interface Checked {
  ok: boolean;
  /** HAProxy's errors without warnings, on one line. */
  message: string;
}

/** The machine did not let HAProxy do something. That says nothing about the configuration, so nothing changes. */
export class MachineFailure extends Refusal {}

/**
 * Has HAProxy check a configuration.
 *
 * @param program HAProxy
 * @param configuration path of its file
 * @param timeout milliseconds
 * @throws MachineFailure if there is no verdict
 */
export async function checkConfiguration(
  program: string,
  configuration: string,
  timeout = CHECK_TIMEOUT,
): Promise<Checked> {
  const said = await errorsIn(program, configuration, timeout);
  return said === undefined ? { ok: true, message: "" } : { ok: false, message: alertsIn(said) };
}

/**
 * Has HAProxy check a configuration. Resolves to its errors by the lines of the configuration that they name.
 *
 * @param program HAProxy
 * @param configuration path of its file
 * @throws MachineFailure if there is no verdict
 */
export async function errorsByLine(program: string, configuration: string): Promise<Map<number, string>> {
  const said = (await errorsIn(program, configuration, CHECK_TIMEOUT)) ?? "";
  return new Map(
    said.split("\n").flatMap((text) => {
      const named = lineNamedIn(text, configuration);
      return named === undefined ? [] : [[named, alertsIn(text)] as const];
    }),
  );
}

/** What HAProxy prints if it rejects a configuration; otherwise undefined. @throws MachineFailure if there is no verdict */
async function errorsIn(
  program: string,
  configuration: string,
  timeout: number,
): Promise<string | undefined> {
  try {
    await promisify(execFile)(program, ["-c", "-f", configuration], {
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: LARGEST_ANSWER,
      env: environment(),
    });
    return undefined;
  } catch (error) {
    const { code, signal, wasKilled, said } = detailsOf(error);
    if (code === REJECTED && isVerdict(said, configuration)) return said;
    const what = wasKilled
      ? `it did not finish within ${timeout / 1000} s`
      : signal !== undefined
        ? `it was ended by ${signal}`
        : typeof code === "number"
          ? `exit status ${code}: ${alertsIn(said).replace(/\.$/, "") || "it printed nothing"}`
          : reasonOf(error);
    throw new MachineFailure(`HAProxy could not check the configuration: ${what}.`);
  }
}

/** The agent's environment without its key, which no other program needs. */
export function environment(): NodeJS.ProcessEnv {
  const { EDGE_AGENT_KEY: _key, ...others } = process.env;
  return others;
}

/** The errors among HAProxy's messages, on one line; without any, the first messages. */
export function alertsIn(said: string): string {
  const lines = said.split("\n").filter((line) => line.includes("[ALERT]"));
  const text = (lines.length > 0 ? lines : said.split("\n")).slice(0, MOST_ALERTS).join(" ");
  return text.replace(/\[ALERT\]\s*\(\d+\) : /g, "").trim();
}

/** Whether an error names a line of the configuration, and none is the machine's fault. */
function isVerdict(said: string, configuration: string): boolean {
  const alerts = said.split("\n").filter((line) => line.includes("[ALERT]"));
  const namesLine = (line: string): boolean => lineNamedIn(line, configuration) !== undefined;
  return alerts.some(namesLine) && !alerts.some((line) => OF_THE_MACHINE.test(line));
}

/** The line of a configuration that a message names, as `[file:line]`. */
function lineNamedIn(text: string, configuration: string): number | undefined {
  const [, after = ""] = text.split(`[${configuration}:`);
  const [, digits] = /^(\d{1,9})\]/.exec(after) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** How a program ended. */
function detailsOf(error: unknown) {
  const of = (name: string): unknown =>
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, name)?.value : undefined;
  const [code, signal, said] = [of("code"), of("signal"), of("stderr")];
  return {
    code,
    signal: typeof signal === "string" ? signal : undefined,
    wasKilled: of("killed") === true,
    said: typeof said === "string" ? said : "",
  };
}

/** A configuration is rejected if HAProxy rejects it twice, at least this many milliseconds apart. */
export const BETWEEN_VERDICTS = 5_000;
const MOST_KNOWN = 100;

/** HAProxy rejected a configuration for the first time. The agent checks it again before it leaves anything out. */
export class RejectedOnce extends Refusal {}

/** When HAProxy rejected configurations. A failing machine can cause a single false verdict. */
export class Verdicts {
  /** The time of the first rejection, by a digest of the configuration, and by the reason. */
  readonly #first = new Map<string, number>();

  /**
   * True if HAProxy has already rejected the same configuration, or another configuration for the same reason. The reason counts
   * because the configuration can change all the time, and no change must wait forever.
   *
   * @param directory the release's directory, whose path the files and the reason contain
   */
  isConfirmed({ files }: Rendered, directory: string, reason: string): boolean {
    // Without the maps, which change most often and are never the reason.
    const text = JSON.stringify([...files]).replaceAll(directory, "");
    const keys = [
      hash("sha256", text, "base64"),
      `reason ${reason.replaceAll(directory, "").replaceAll(/:\d+\]/g, "")}`,
    ];
    const now = elapsed();
    for (const key of keys) if (!this.#first.has(key)) this.#first.set(key, now);
    for (const key of [...this.#first.keys()].slice(0, -MOST_KNOWN)) this.#first.delete(key);
    return keys.some((key) => now - (this.#first.get(key) ?? now) >= BETWEEN_VERDICTS);
  }

  /** HAProxy accepted the configuration that it will serve, so earlier rejections no longer count. */
  accepted(): void {
    this.#first.clear();
  }
}
