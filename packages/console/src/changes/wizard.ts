import type { Fields } from "../api/client.ts";
import { isLike, kept } from "../base/kept.ts";
import type { Parsed } from "../base/networks.ts";
import { hostFault, withPort } from "./hosts.ts";
import { keepNew, newName, titleOfNew } from "./pending.ts";
import { faultOfRules, rulesOnce } from "./typed_rules.ts";

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
  /** The id of a known backend. A new object that is not applied yet has `$` and its name in place of an id. */
  backend: string;
  who: "everybody" | "policies" | "addresses";
  policies: string[];
  /** Networks, one per line. */
  networks: string;
  needsCertificate: boolean;
  authorities: string[];
  /** Empty until it is chosen: see {@link validAnswers}. With `backend`, TLS is passed through. */
  certificate: "" | "known" | "letsencrypt" | "file" | "backend";
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
  certificate: "",
  agreed: false,
};

const isAnswers = (value: unknown): value is Answers => isLike(value, start);

/** The answers so far. They belong to this tab, and are kept until the wizard is finished or cancelled. */
export const draft = kept("new edge", start, isAnswers);

/** What decides for which hosts an issuer orders certificates. */
interface Issuer {
  hosts: string[];
}

type Objects = { id: string }[] | undefined;

/**
 * The answers that are still valid. References to deleted objects, and to new objects that were taken back or applied, are left out. If
 * the chosen source of certificates is impossible, the best possible source replaces it.
 *
 * Lists are undefined until they have been read. References into an unread list are kept. Without the list of issuers, no source is chosen.
 */
export function validAnswers(
  answers: Answers,
  backends: Objects,
  policies: Objects,
  authorities: Objects,
  issuers: Issuer[] | undefined,
): Answers {
  const { to, who, certificate } = answers;
  const there = (ids: string[], objects: Objects, isNeeded: boolean): string[] =>
    isNeeded
      ? ids.filter((id) =>
          id.startsWith("$")
            ? titleOfNew(id) !== undefined
            : !objects || objects.some((one) => one.id === id),
        )
      : ids;
  const isOwn = certificate === "file" || (certificate === "backend" && canPassThrough(answers));
  const automatic =
    issuers && issuerFor(answers, issuers)
      ? "known"
      : objectionOf(answers) === undefined
        ? "letsencrypt"
        : "file";
  return {
    ...answers,
    backend: there([answers.backend], backends, to === "known")[0] ?? "",
    policies: there(answers.policies, policies, who === "policies"),
    authorities: there(answers.authorities, authorities, asksForCertificate(answers)),
    certificate: issuers ? (isOwn ? certificate : automatic) : "",
  };
}

/** The directory of Let's Encrypt (https://letsencrypt.org/docs/acme-protocol-updates). */
const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

/** The hosts as entered. */
const hostsIn = ({ hosts }: Answers): string[] =>
  hosts
    .split(/[,\n]+/)
    .map((host) => host.trim())
    .filter(Boolean);

/** The default port. TCP edges do not have one. */
const portOf = ({ kind }: Answers): number | undefined => (kind === "tcp" ? undefined : 443);

/** The hosts, each with its port or the default port. */
export const hostportsOf = (answers: Answers): string[] =>
  hostsIn(answers).map((host) => withPort(host, portOf(answers)));

/** The names of the hosts in canonical form: without ports and final dots, in lower case. */
const namesOf = (answers: Answers): string[] =>
  hostportsOf(answers).map((hostport) => hostport.replace(/\.?:\d+$/, "").toLowerCase());

/** The networks as entered, each once. */
export const networksIn = ({ networks }: Answers): Parsed => rulesOnce(networks);

/** Why Let's Encrypt cannot issue certificates for the hosts; undefined if it can. */
export const objectionOf = (answers: Answers): string | undefined =>
  namesOf(answers).every((name) => /\.[a-z][a-z0-9-]*$/.test(name))
    ? undefined
    : "Not possible: it issues certificates only for full domain names, not for addresses.";

/** Error messages by the names of answers. */
export type Faults = Partial<Record<keyof Answers, string | undefined>>;

/** The error messages for the answers so far. */
export function faultsOf(answers: Answers): Faults {
  const { kind, to, address, backend, who, policies, authorities, certificate, agreed } = answers;
  const example = kind === "tcp" ? "db.example.com:5432" : "www.example.com";
  const faults: Faults = {};
  const hosts = hostsIn(answers);
  for (const host of hosts.length === 0 ? [""] : hosts)
    faults.hosts ??= hostFault(host, example, portOf(answers));
  if (to === "new") faults.address = hostFault(address.trim(), "10.0.4.12:8080");
  else if (backend === "") faults.backend = "Choose a backend.";
  if (who === "policies" && policies.length === 0) faults.policies = "Choose at least one IP policy.";
  if (who === "addresses") faults.networks = faultOfNetworks(networksIn(answers));
  if (asksForCertificate(answers) && authorities.length === 0)
    faults.authorities = "Choose at least one authority.";
  // Once the issuers have been read, one of the options is chosen.
  if (kind !== "tcp" && certificate === "") faults.certificate = "The issuers have not been read yet.";
  if (kind !== "tcp" && certificate === "letsencrypt" && !agreed)
    faults.agreed = "Let's Encrypt issues certificates only to those who agree.";
  return faults;
}

const faultOfNetworks = (networks: Parsed): string | undefined =>
  faultOfRules(networks) ??
  (networks.rules.some(({ action }) => action === "allow")
    ? undefined
    : "Enter at least one network or address to let in, such as 203.0.113.0/24.");

/** True if clients need a certificate, which TCP edges cannot require. */
export const asksForCertificate = ({ kind, needsCertificate }: Answers): boolean =>
  needsCertificate && kind !== "tcp";

/** True if the backend can terminate TLS: only of a TLS edge, whose machines cannot ask for client certificates then. */
export const canPassThrough = (answers: Answers): boolean =>
  answers.kind === "tls" && !asksForCertificate(answers);

/** The issuer that orders certificates for all hosts: `*` is for all, `*.` for the names one label below. */
export const issuerFor = <T extends Issuer>(answers: Answers, issuers: T[]): T | undefined =>
  issuers.find(({ hosts }) =>
    namesOf(answers).every((name) =>
      ["*", name, name.replace(/^[^.]+/, "*")].some((host) => hosts.includes(host)),
    ),
  );

/** Adds the changes. The first ones are those that the others refer to. */
export function keepAnswers(answers: Answers): void {
  const { kind, name, authorities } = answers;
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
    // Without it, a TLS edge passes TLS through.
    ...(kind === "tls" &&
      answers.certificate !== "backend" && { tls_termination: { enabled: true, terminate_at: "edge" } }),
    ...(asksForCertificate(answers) && {
      mutual_tls: { enabled: true, certificate_authority_ids: authorities },
    }),
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
function backendOf({ to, backend, isEncrypted, ...answers }: Answers, title: string): string {
  if (to === "known") return backend;
  const address = answers.address.trim();
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
function policiesOf(answers: Answers, title: string): string[] | undefined {
  const { who, policies } = answers;
  if (who === "everybody") return undefined;
  if (who === "policies") return policies;
  const name = newName();
  const description = `Clients of ${title}`;
  keepNew("/ip_policies", description, { description }, name, networksIn(answers).rules);
  return [`$${name}`];
}
