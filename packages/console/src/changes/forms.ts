import type { Fields } from "../api/client.ts";
import type { Field } from "./fields.ts";
import { hostFault } from "./hosts.ts";

/*
 * The forms that create and change objects, as data. Modules have their own: see `modules.ts`.
 */

/** The kinds of objects that have a form. */
export type FormKind =
  | "https"
  | "tls"
  | "tcp"
  | "route"
  | "static"
  | "weighted"
  | "failover"
  | "http_response"
  | "authority"
  | "policy"
  | "destination"
  | "subscription"
  | "issuer";

/** How objects of a kind are made and changed. */
export interface ObjectForm {
  /** What an object is called, after "New". */
  noun: string;
  /** What the kind is for, where it can be chosen. */
  note?: string;
  /** Where objects are created. @param parent the id of the edge of a route */
  collection: (parent: string) => string;
  fields: Field[];
  /** The body before anything is typed. */
  start?: Fields;
}

const description: Field = {
  name: "description",
  label: "Name",
  type: "text",
  hint: "Its name in lists and plans",
  empty: "",
};

/** The last field of every object. */
export const metadata: Field = {
  name: "metadata",
  label: "Metadata",
  type: "long",
  rows: 2,
  hint: "Free text for your programs",
  empty: "",
};

const hostports: Field = {
  name: "hostports",
  label: "Hosts and ports",
  type: "words",
  isMono: true,
  placeholder: "www.example.com:443",
  faultOf: (host) => hostFault(host, "www.example.com:443"),
  hint: "Hosts with ports, separated by commas",
  empty: [],
};

const backend: Field = { name: "backend.backend_id", label: "Goes to", type: "reference" };
const who: Field = {
  name: "ip_restriction.ip_policy_ids",
  label: "Who gets in",
  type: "references",
  hint: "Only clients that the chosen policies allow",
  hintIfNone: "No policy is chosen, so everybody gets in",
};
const certificates: Field = {
  name: "mutual_tls.certificate_authority_ids",
  label: "Client certificates",
  type: "references",
  hint: "Only clients with a certificate of these authorities. Without any, none is needed",
};

const edge = (kind: string, ...more: Field[]): ObjectForm => ({
  noun: `${kind.toUpperCase()} edge`,
  collection: () => `/edges/${kind}`,
  fields: [description, hostports, ...more],
});

const eab = {
  label: "Key of an external account",
  hint: "If the authority requires an account (RFC 8555 §7.3.4)",
};

/** A new secret of a webhook (Standard Webhooks): 24 random bytes. */
export const newSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`;

export const forms: Record<FormKind, ObjectForm> = {
  https: edge("https", certificates),
  tls: edge("tls", backend, who, certificates),
  tcp: edge("tcp", backend, who),
  route: {
    noun: "route",
    collection: (parent) => `/edges/https/${parent}/routes`,
    fields: [
      { name: "match", label: "Path", type: "text", isMono: true, isRequired: true, placeholder: "/api" },
      {
        name: "match_type",
        label: "Requests",
        type: "choice",
        isRequired: true,
        options: [
          { value: "path_prefix", text: "to this path and below" },
          { value: "exact_path", text: "to exactly this path" },
        ],
      },
      who,
      backend,
      description,
    ],
    start: { match_type: "path_prefix" },
  },
  static: {
    noun: "backend",
    note: "A server with an address",
    collection: () => "/backends/static",
    fields: [
      description,
      {
        name: "address",
        label: "Address",
        type: "text",
        isMono: true,
        isRequired: true,
        placeholder: "10.0.4.12:8080",
        hint: "Host and port, as your machines reach it",
      },
      { name: "tls.enabled", label: "Encrypt the traffic to it (TLS)", type: "tick" },
    ],
  },
  weighted: {
    noun: "backend",
    note: "Splits traffic between several by weight",
    collection: () => "/backends/weighted",
    fields: [
      description,
      {
        name: "backends",
        label: "Weights",
        type: "weights",
        hint: "The share of each is its weight divided by the sum",
      },
    ],
    start: { backends: {} },
  },
  failover: {
    noun: "backend",
    note: "Tries several in turn",
    collection: () => "/backends/failover",
    fields: [description, { name: "backends", label: "In this order", type: "order" }],
    start: { backends: [] },
  },
  http_response: {
    noun: "backend",
    note: "A fixed response, such as a page for maintenance",
    collection: () => "/backends/http_response",
    fields: [
      description,
      { name: "status_code", label: "Status", type: "number", min: 200, max: 599 },
      { name: "headers", label: "Headers, one Name: value per line", type: "headers", empty: null },
      { name: "body", label: "Body", type: "long", empty: "" },
    ],
    start: { status_code: 200 },
  },
  authority: {
    noun: "authority",
    collection: () => "/certificate_authorities",
    fields: [
      description,
      {
        name: "ca_pem",
        label: "Certificate",
        type: "long",
        isRequired: true,
        isFixed: true,
        placeholder: "-----BEGIN CERTIFICATE-----",
        hint: "The authority's own certificate as PEM. It cannot be changed later",
      },
    ],
  },
  policy: {
    noun: "IP policy",
    collection: () => "/ip_policies",
    fields: [
      { ...description, isRequired: true, hint: "Such as Offices" },
      {
        name: "rules",
        label: "Rules, one per line",
        type: "rules",
        isFixed: true,
        placeholder: "203.0.113.0/24, allow, Porto office\n198.51.100.77, deny",
        hint: "A network, then optionally allow or deny, and a description. Without any rule, it lets in nobody",
      },
    ],
  },
  destination: {
    noun: "destination",
    collection: () => "/event_destinations",
    fields: [description],
  },
  subscription: {
    noun: "subscription",
    collection: () => "/event_subscriptions",
    fields: [
      description,
      { name: "sources", label: "Sends", type: "sources" },
      {
        name: "destination_ids",
        label: "Destinations",
        type: "references",
        hintIfNone: "Without any, nothing is sent",
        empty: [],
      },
    ],
    start: { sources: [] },
  },
  issuer: {
    noun: "issuer",
    collection: () => "/certificate_issuers",
    fields: [
      description,
      {
        name: "directory_url",
        label: "ACME directory",
        type: "text",
        isMono: true,
        isRequired: true,
        isFixed: true,
        placeholder: "https://acme-v02.api.letsencrypt.org/directory",
      },
      {
        name: "hosts",
        label: "Hosts",
        type: "words",
        isMono: true,
        isRequired: true,
        placeholder: "*.example.com",
        hint: "* stands for all hosts, *.example.com for the names one label below",
      },
      {
        name: "agents",
        label: "Machines",
        type: "words",
        isMono: true,
        placeholder: "*",
        hint: "The agents that may request certificates. Leave empty for all",
        empty: ["*"],
      },
      {
        name: "contact",
        label: "Contacts",
        type: "words",
        isMono: true,
        placeholder: "mailto:ops@example.com",
        hint: "Where the authority sends notices",
        empty: [],
      },
      {
        name: "external_account.key_id",
        ...eab,
        label: "Id of an external account",
        type: "text",
        isMono: true,
      },
      { name: "external_account.hmac_key", ...eab, type: "secret" },
      {
        name: "terms_of_service_agreed",
        label: "We agree to the authority's terms of service",
        type: "tick",
        isRequired: true,
        isFixed: true,
      },
    ],
  },
};

// Every object has metadata.
for (const { fields } of Object.values(forms)) fields.push(metadata);

/** The kind of the object at a path of the API, such as `/backends/static/bkdsc_…`. */
export function kindOfPath(path: string): FormKind | undefined {
  const [, first = "", second = "", , fourth] = path.split("/");
  if (fourth === "routes") return "route";
  if (first === "edges" || first === "backends") return isKind(second) ? second : undefined;
  return {
    ip_policies: "policy" as const,
    certificate_authorities: "authority" as const,
    certificate_issuers: "issuer" as const,
    event_destinations: "destination" as const,
    event_subscriptions: "subscription" as const,
  }[first];
}

const isKind = (name: string): name is FormKind => Object.hasOwn(forms, name);
