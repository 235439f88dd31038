/** A machine's certificate folder, which the package creates. */
export const CERTIFICATES = "/etc/edge-agent/certificates";

/** The command that writes an agent's key and options. It prints nothing, because others can see the terminal. */
export const agentSettings = (service: string, name: string, key: string): string =>
  `sudo tee /etc/edge-agent/agent.env >/dev/null <<'END'
EDGE_AGENT_KEY=${key}
EDGE_AGENT_OPTIONS=--service ${service} --name ${name} --certificates ${CERTIFICATES}
END`;
