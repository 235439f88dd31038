import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf } from "../api/client.ts";
import { Command } from "./command.tsx";
import { Text } from "./inputs.tsx";

/** What a machine is called until somebody names it. */
const FIRST = "edge-1";

/** The commands that install an agent on a machine. The key is made when the command with it is copied. */
export function Install() {
  const [given, setName] = useState(FIRST);
  const name = given === "" ? FIRST : given;
  const settings = (key: string): string =>
    `sudo tee /etc/edge-agent/agent.env <<END
EDGE_AGENT_KEY=${key}
EDGE_AGENT_OPTIONS=--service ${location.origin} --name ${name}
END`;
  const withKey = async (): Promise<string> => {
    const body = { role: "agent" as const, description: name };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const { token } = await bodyOf(api.POST("/api_keys", { body, headers }));
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
    return settings(token ?? "");
  };
  return (
    <div class="stack">
      <div class="short">
        <Text
          label="Name of the machine"
          isMono
          hint="Lower case letters, digits and hyphens"
          value={given}
          set={(text) =>
            setName(
              text
                .toLowerCase()
                .replace(/[^a-z0-9-]/g, "")
                .slice(0, 63),
            )
          }
        />
      </div>
      <Command isShell text="sudo apt-get install ./edge-agent_0.1.0_all.deb" />
      <Command
        isShell
        text={settings("(made when you copy)")}
        prepare={withKey}
        label="Make a key, and copy"
      />
      <Command isShell text="sudo systemctl enable --now edge-agent" />
      <p class="meta">
        Copying the second command makes a key that can only read the configuration and report. It is not
        shown again.
      </p>
    </div>
  );
}
