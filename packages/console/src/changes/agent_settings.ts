/** The folder of certificates on a machine. The package makes it. */
export const CERTIFICATES = "/etc/edge-agent/certificates";

/** The command that writes the key and the options of an agent. It prints nothing, because the terminal may be seen. */
export const agentSettings = (service: string, name: string, key: string): string =>
  `sudo tee /etc/edge-agent/agent.env >/dev/null <<'END'
EDGE_AGENT_KEY=${key}
EDGE_AGENT_OPTIONS=--service ${service} --name ${name} --certificates ${CERTIFICATES}
END`;
