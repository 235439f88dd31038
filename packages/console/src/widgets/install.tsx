import { useState } from "preact/hooks";
import { AGENT_NAME, NOT_AN_AGENT_NAME } from "../../../model/src/values/agent_names.ts";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf } from "../api/client.ts";
import { useCreation } from "../api/creation.ts";
import { RequestFailure } from "../api/errors.ts";
import { useAgents } from "../api/queries.ts";
import { agentSettings, CERTIFICATES } from "../changes/agent_settings.ts";
import { Command } from "./command.tsx";
import { FieldErrors } from "./faults.tsx";
import { Text } from "./inputs.tsx";

/** A repeated request gets the key without its token. */
const TOKEN_LOST =
  "The key was made, but the response with its token was lost. Delete it under Keys, reload this page, and copy again.";

/** The commands that install an agent on a machine. The key is created once, when the command that contains it is first copied. */
export function Install() {
  const [typed, setName] = useState<string>();
  const [key, setKey] = useState("");
  const taken = new Set(useAgents().data?.map((agent) => agent.name));
  let number = 1;
  while (taken.has(`edge-${number}`)) number += 1;
  // What a machine is called until somebody names it.
  const name = typed ?? `edge-${number}`;
  const fault = !AGENT_NAME.test(name)
    ? NOT_AN_AGENT_NAME
    : // The machine reports as soon as it has the key.
      taken.has(name) && key === ""
      ? "Another machine has this name."
      : undefined;
  const creation = useCreation();
  const makeKey = async (): Promise<string> => {
    const body = { role: "agent" as const, description: name };
    const { token } = await bodyOf(api.POST("/api_keys", { body, headers: creation(body) }));
    if (!token) throw new RequestFailure({ msg: TOKEN_LOST }, 0);
    setName(name);
    setKey(token);
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
    return agentSettings(location.origin, name, token);
  };
  return (
    <div class="stack">
      <div class="short">
        <FieldErrors isTried>
          <Text
            label="Name of the machine"
            isMono
            hint="Lower-case letters, digits and hyphens"
            fault={fault}
            value={name}
            set={(text) => setName(text.toLowerCase())}
          />
        </FieldErrors>
      </div>
      <p class="t2">
        Build the package in the repository of this service with <code>node scripts/deb.ts</code>, copy it to
        the machine, and install it:{" "}
        <a class="link" href="/docs/guides/traffic#set-up-a-machine" target="_blank">
          Set up a machine
        </a>
      </p>
      <Command isShell text="sudo apt-get install ./edge-agent_0.1.0_all.deb" />
      {fault === undefined && (
        <Command
          isShell
          text={agentSettings(location.origin, name, key || "(made when you copy)")}
          {...(key === "" && { prepare: makeKey, label: "Make a key, and copy" })}
        />
      )}
      <Command isShell text="sudo systemctl enable --now edge-agent" />
      <p class="meta">
        {key === ""
          ? "Copying the second command makes a key that can only read the configuration and report."
          : "The key is shown only once. It can only read the configuration and report."}{" "}
        Put certificate files into <code>{CERTIFICATES}</code> on the machine.
      </p>
    </div>
  );
}
