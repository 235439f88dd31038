import type { Fields } from "../api/client.ts";
import { parseRules } from "../base/networks.ts";
import { keepNew, newName } from "./pending.ts";

/*
 * From answers to the changes that make an edge with everything that it needs.
 */

/** What somebody has answered so far. */
export interface Answers {
  kind: "https" | "tls" | "tcp";
  /** Hosts, with or without ports, separated by commas. */
  hosts: string;
  name: string;
  to: "new" | "known";
  /** Of a new server. */
  address: string;
  isEncrypted: boolean;
  /** The id of a known backend. */
  backend: string;
  who: "everybody" | "policies" | "addresses";
  policies: string[];
  /** Networks, one a line. */
  networks: string;
  needsCertificate: boolean;
  authorities: string[];
  certificate: "known" | "letsencrypt" | "file";
  agreed: boolean;
}

export const start: Answers = {
  kind: "https",
  hosts: "",
  name: "",
  to: "new",
  address: "",
  isEncrypted: false,
  backend: "",
  who: "everybody",
  policies: [],
  networks: "",
  needsCertificate: false,
  authorities: [],
  certificate: "file",
  agreed: false,
};

/** The directory of Let's Encrypt (https://letsencrypt.org/docs/acme-protocol-updates). */
const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

/** The hosts and ports of the answers: without a port, that of HTTPS. */
export const hostportsOf = ({ hosts, kind }: Answers): string[] =>
  hosts
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((host) => (/:\d+$/.test(host) || kind === "tcp" ? host : `${host}:443`));

/** The names of the hosts, without ports. */
export const namesOf = (answers: Answers): string[] =>
  hostportsOf(answers).map((hostport) => hostport.replace(/:\d+$/, ""));

/** Whether an issuer orders certificates for a host: `*` is for all, `*.` for the names one label below. */
export function covers(hosts: string[], name: string): boolean {
  return hosts.some(
    (host) =>
      host === "*" || host === name || (host.startsWith("*.") && name.replace(/^[^.]+/, "*") === host),
  );
}

/** Adds the changes. The first ones are those that the others refer to. */
export function keepAnswers(answers: Answers): void {
  const { kind, name, needsCertificate, authorities } = answers;
  const hostports = hostportsOf(answers);
  const title = name || hostports[0] || "new edge";
  const backend = backendOf(answers, title);
  const policies = policiesOf(answers, title);
  if (answers.certificate === "letsencrypt" && kind !== "tcp")
    keepNew("/certificate_issuers", "Let's Encrypt", {
      description: "Let's Encrypt",
      directory_url: LETS_ENCRYPT,
      terms_of_service_agreed: true,
      hosts: namesOf(answers),
    });
  const inner: Fields = {
    backend: { enabled: true, backend_id: backend },
    ...(policies && { ip_restriction: { enabled: true, ip_policy_ids: policies } }),
  };
  const outer: Fields = {
    ...(name !== "" && { description: name }),
    hostports,
    ...(needsCertificate &&
      kind !== "tcp" && { mutual_tls: { enabled: true, certificate_authority_ids: authorities } }),
  };
  if (kind !== "https") {
    keepNew(`/edges/${kind}`, title, { ...outer, ...inner });
    return;
  }
  const edge = newName();
  keepNew("/edges/https", title, outer, edge);
  keepNew(`/edges/https/$${edge}/routes`, `${title}, every path`, {
    match: "/",
    match_type: "path_prefix",
    ...inner,
  });
}

/** The id of the backend, which is added if it is new. */
function backendOf({ to, backend, address, isEncrypted }: Answers, title: string): string {
  if (to === "known") return backend;
  const name = newName();
  keepNew(
    "/backends/static",
    address,
    { description: title, address, ...(isEncrypted && { tls: { enabled: true } }) },
    name,
  );
  return `$${name}`;
}

/** The ids of the policies; undefined for everybody. A new one is added with its rules. */
function policiesOf({ who, policies, networks }: Answers, title: string): string[] | undefined {
  if (who === "everybody") return undefined;
  if (who === "policies") return policies;
  const name = newName();
  keepNew("/ip_policies", title, { description: `Clients of ${title}` }, name);
  for (const rule of parseRules(networks, "allow").rules)
    keepNew("/ip_policy_rules", rule.cidr, { ip_policy_id: `$${name}`, ...rule });
  return [`$${name}`];
}
