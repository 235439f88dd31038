/** A page of this repository that the service shows at `/docs/guides/NAME`. */
export interface Guide {
  name: string;
  /** Its Markdown, from the root of the repository. */
  file: string;
  title: string;
  /** Its contents, as the end of a sentence. */
  about: string;
}

/** The guides in the order in which they are listed: first those for callers, then those for operators. */
export const guides: Guide[] = [
  guide("api", "docs/api.md", "Using the API", "filters, retries, safe edits, transactions and events"),
  guide("keys", "docs/keys.md", "API keys", "roles, expiry, rotation and revocation"),
  guide(
    "people",
    "docs/people.md",
    "People",
    "signing in with an identity provider, roles and personal keys",
  ),
  guide(
    "restriction",
    "docs/restriction.md",
    "Restricting the API by address",
    "from where the API can be called",
  ),
  guide("events", "docs/events.md", "Events", "receive an event for each change"),
  guide("console", "docs/console.md", "Console", "review, approve, apply and undo changes in a browser"),
  guide("ai", "docs/ai.md", "AI agents", "connecting agents over MCP, their tools and their roles"),
  guide("errors", "docs/errors.md", "Errors", "every error code, its cause and its cure"),
  guide("files", "docs/files.md", "Configuration in files", "`edge diff` and `edge apply`, also in CI"),
  guide("typescript", "docs/typescript.md", "TypeScript", "a typed client"),
  guide(
    "https",
    "docs/https.md",
    "An HTTPS edge, step by step",
    "a certificate, an agent, client certificates and a circuit breaker",
  ),
  guide("traffic", "docs/traffic.md", "Serving traffic", "`edge-agent` with HAProxy, or Traefik"),
  guide("policies", "docs/policies.md", "Traffic policies", "their language, with examples"),
  guide("readme", "README.md", "Readme", "try the service on your own machine"),
  guide("local", "docs/local.md", "Local service", "ports, settings and example data"),
  guide("deploying", "docs/deploying.md", "Deploying", "deploy and configure the service"),
  guide("operating", "docs/operating.md", "Operating", "what to do when something is wrong, and monitoring"),
  guide("backup", "docs/backup.md", "Backups", "back up, restore, and return to an earlier time"),
  guide("costs", "docs/costs.md", "Costs and limits", "what a request costs, and what is limited"),
  guide("decisions", "docs/decisions.md", "Decisions", "why the service is built as it is"),
  guide("security", "SECURITY.md", "Security", "the threat model, and how to report a vulnerability"),
];

function guide(name: string, file: string, title: string, about: string): Guide {
  return { name, file, title, about };
}

/** The guides as a Markdown list. @param origin of the service */
export const guideList = (origin: string): string =>
  guides.map(({ name, title, about }) => `- [${title}](${origin}/docs/guides/${name}): ${about}`).join("\n");
