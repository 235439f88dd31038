import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What an HAProxy can do that its version number does not tell, because fixes are ported back. */
export interface Features {
  /** It can drop the trailers of requests (RFC 9110 §6.5), which rules do not see. */
  dropsTrailers: boolean;
}

export const DROP_TRAILERS = "option http-drop-request-trailers";
const TIMEOUT = 10_000;

/** Asks an HAProxy what it can do. */
export const featuresOf = async (program: string): Promise<Features> => ({
  dropsTrailers: await knows(program, DROP_TRAILERS),
});

/** Whether an HAProxy accepts a line in a `defaults` section. */
export async function knows(program: string, line: string): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "edge-agent-"));
  try {
    const file = join(directory, "haproxy.cfg");
    writeFileSync(
      file,
      `defaults\n    mode http\n    timeout client 1s\n    ${line}\nfrontend asked\n    bind 127.0.0.1:1\n`,
    );
    const { EDGE_AGENT_KEY: _key, ...env } = process.env;
    await promisify(execFile)(program, ["-c", "-f", file], { timeout: TIMEOUT, env });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
