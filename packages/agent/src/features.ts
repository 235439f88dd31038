import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DROP_TRAILERS } from "./render/global.ts";
import type { State } from "./state.ts";
import { featuresFile } from "./state_files.ts";
import { checkConfiguration, MachineFailure } from "./verdict.ts";

/** What an HAProxy can do that its version number does not tell, because fixes are ported back. */
export interface Features {
  /** It can drop the trailers of requests (RFC 9110 §6.5), which rules do not see. */
  dropsTrailers: boolean;
}

const FILE = "features.json";
const TIMEOUT = 10_000;

/**
 * What an HAProxy can do. Each version is asked once, because an agent also has to start while the machine lets HAProxy check nothing.
 *
 * @param version its whole version
 * @throws MachineFailure if this version has never answered
 */
export async function featuresOf(program: string, version: string, state: State): Promise<Features> {
  const known = state.read(FILE, featuresFile);
  if (known?.version === version) return { dropsTrailers: known.dropsTrailers };
  const features = { dropsTrailers: await knows(program, DROP_TRAILERS) };
  state.write(FILE, { version, ...features });
  return features;
}

/** Whether an HAProxy accepts a line in a `defaults` section. @throws MachineFailure if it does not say so, or that it does not know it */
export async function knows(program: string, line: string): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), "edge-agent-"));
  try {
    const file = join(directory, "haproxy.cfg");
    writeFileSync(
      file,
      `defaults\n    mode http\n    timeout client 1s\n    ${line}\nfrontend asked\n    bind 127.0.0.1:1\n`,
    );
    const { ok, message } = await checkConfiguration(program, file, TIMEOUT);
    const [, word = line] = line.split(" ");
    if (!ok && !message.includes(word))
      throw new MachineFailure(`HAProxy did not say whether it knows \`${line}\`: ${message}`);
    return ok;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
