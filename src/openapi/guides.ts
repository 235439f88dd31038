/** A page of this repository that the service shows at `/docs/guides/NAME`. */
export interface Guide {
  name: string;
  /** Its Markdown, from the root of the repository. */
  file: string;
  title: string;
  /** Its contents, as the end of a sentence. */
  about: string;
}

/** The guides in the order in which they are listed, by what they are for. */
export const guideGroups: { title: string; guides: Guide[] }[] = [
  {
    title: "Start",
    guides: [
      guide(
        "https",
        "An HTTPS edge, step by step",
        "a certificate, an agent, client certificates and a circuit breaker",
      ),
      guide("traffic", "Serving traffic", "`edge-agent` with HAProxy, or Traefik"),
      guide("console", "Console", "review, approve, apply and undo changes in a browser"),
      guide("files", "Configuration in files", "`edge diff` and `edge apply`, also in CI"),
      guide("readme", "Readme", "try the service on your own machine", "README.md"),
    ],
  },
  {
    title: "Use",
    guides: [
      guide("policies", "Traffic policies", "their language, with examples"),
      guide("events", "Events", "receive an event for each change"),
      guide("keys", "API keys", "roles, expiry, rotation and revocation"),
      guide("people", "People", "signing in with an identity provider, roles and personal keys"),
      guide("restriction", "Restricting the API by address", "which addresses may call the API"),
    ],
  },
  {
    title: "API",
    guides: [
      guide("api", "Using the API", "filters, retries, safe edits, transactions and events"),
      guide("errors", "Errors", "every error code, its cause and its cure"),
      guide("typescript", "TypeScript", "a typed client"),
      guide("ai", "AI agents", "connecting agents over MCP, their tools and their roles"),
    ],
  },
  {
    title: "Operate",
    guides: [
      guide("local", "Local service", "ports, settings and example data"),
      guide("deploying", "Deploying", "deploy and configure the service"),
      guide("operating", "Operating", "what to do when something is wrong, and monitoring"),
      guide("backup", "Backups", "back up, restore, and return to an earlier time"),
      guide("costs", "Costs and limits", "what a request costs, and what is limited"),
    ],
  },
  {
    title: "Background",
    guides: [
      guide("decisions", "Decisions", "why the service is built as it is"),
      guide("security", "Security", "the threat model, and how to report a vulnerability", "SECURITY.md"),
    ],
  },
];

/** All guides, in the same order. */
export const guides: Guide[] = guideGroups.flatMap((group) => group.guides);

function guide(name: string, title: string, about: string, file = `docs/${name}.md`): Guide {
  return { name, file, title, about };
}

/** The guides as a Markdown list. @param origin of the service */
export const guideList = (origin: string): string =>
  guides.map(({ name, title, about }) => `- [${title}](${origin}/docs/guides/${name}): ${about}`).join("\n");
