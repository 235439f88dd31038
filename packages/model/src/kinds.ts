/**
 * The kinds of objects. For each kind: the prefix of ids, the path of the collection, the field of its lists, and its name in
 * sentences, `noun`. `about` describes the kind. `purpose` says what to use it for, in words that people search
 * for.
 */
export const kinds = {
  tcp_edge: {
    prefix: "edgtcp_",
    path: "/edges/tcp",
    member: "tcp_edges",
    noun: "TCP edge",
    about: "An entry point for TCP traffic.",
    purpose: "Use it to forward a port, for example for SSH or a database.",
  },
  tls_edge: {
    prefix: "edgtls_",
    path: "/edges/tls",
    member: "tls_edges",
    noun: "TLS edge",
    about: "An entry point for TLS traffic.",
    purpose: "Use it for TLS (SSL) traffic that is not HTTP, or to pass TLS through to an upstream server.",
  },
  https_edge: {
    prefix: "edghts_",
    path: "/edges/https",
    member: "https_edges",
    noun: "HTTPS edge",
    about: "An entry point for HTTPS traffic. Its routes define where requests go.",
    purpose: "Use it to publish a website or an HTTP API: set its domains in `hostports`, then add routes.",
  },
  https_edge_route: {
    prefix: "edghtsrt_",
    path: "/edges/https/{edge_id}/routes",
    member: "routes",
    noun: "HTTPS edge route",
    about: "Defines how an HTTPS edge handles requests for a path.",
    purpose: "Use it for path-based routing: it sends the requests for a path to a backend.",
  },
  ip_policy: {
    prefix: "ipp_",
    path: "/ip_policies",
    member: "ip_policies",
    noun: "IP policy",
    about:
      "A set of rules that allow or deny source IP addresses; their order does not matter. A policy applies to traffic once an IP restriction refers to it.",
    purpose:
      "Use it as a firewall, an allowlist or a blocklist: add rules to it, then refer to it in the `ip_restriction` of an edge or a route.",
  },
  ip_policy_rule: {
    prefix: "ipr_",
    path: "/ip_policy_rules",
    member: "ip_policy_rules",
    noun: "IP policy rule",
    about:
      "Allows or denies traffic from a range of source IP addresses. A matching `deny` rule overrides every `allow` rule.",
    purpose: "Use `deny` to block an IP address or a network, and `allow` to admit it.",
  },
  failover_backend: {
    prefix: "bkdfo_",
    path: "/backends/failover",
    member: "backends",
    noun: "failover backend",
    about: "A list of backends that are tried in order.",
    purpose: "Use it for high availability: when one backend is down, the next one takes over.",
  },
  http_response_backend: {
    prefix: "bkdhr_",
    path: "/backends/http_response",
    member: "backends",
    noun: "HTTP response backend",
    about: "A fixed HTTP response.",
    purpose: "Use it for a maintenance page, an error page or a redirect.",
  },
  weighted_backend: {
    prefix: "bkdwd_",
    path: "/backends/weighted",
    member: "backends",
    noun: "weighted backend",
    about: "Backends among which traffic is divided by their weights.",
    purpose: "Use it for load balancing, or for a canary release.",
  },
  static_backend: {
    prefix: "bkdsc_",
    path: "/backends/static",
    member: "backends",
    noun: "static backend",
    about: "An address that traffic is forwarded to.",
    purpose: "Use it for an upstream server, also called an origin.",
  },
  bot_user: {
    prefix: "bot_",
    path: "/bot_users",
    member: "bot_users",
    noun: "bot user",
    about: "A machine identity.",
    purpose: "Use it as a service account that owns API keys.",
  },
  api_key: {
    prefix: "ak_",
    path: "/api_keys",
    member: "keys",
    noun: "API key",
    about: "Grants access to the API, as far as its role permits.",
    purpose: "To rotate a key, create a new one, switch to it, and delete the old one.",
  },
  api_restriction: {
    prefix: "apr_",
    path: "/api_restriction",
    member: null,
    noun: "API restriction",
    about: "Which addresses may call the API; by default, all.",
    purpose: "Use it to close the API to everybody outside your network.",
  },
  user: {
    prefix: "usr_",
    path: "/users",
    member: "users",
    noun: "user",
    about: "A person who has signed in with the identity provider.",
    purpose: "A user is created when a person signs in for the first time.",
  },
  session: {
    prefix: "ses_",
    path: "/auth/sessions",
    member: null,
    noun: "session",
    about: "A browser in which a person or a key has signed in.",
    purpose: "It ends after eight hours at the latest.",
  },
  sign_in: {
    prefix: "sgn_",
    path: "/auth/sign_ins",
    member: null,
    noun: "sign-in",
    about: "An attempt to sign in.",
    purpose: "Events report rejected attempts.",
  },
  event_destination: {
    prefix: "ed_",
    path: "/event_destinations",
    member: "event_destinations",
    noun: "event destination",
    about:
      "Where serialized events are sent. A destination receives events once an event subscription refers to it.",
    purpose:
      "If you leave out a webhook's secret, the service generates one and shows it in this response only.",
  },
  event_subscription: {
    prefix: "esb_",
    path: "/event_subscriptions",
    member: "event_subscriptions",
    noun: "event subscription",
    about: "Selects the types of events to send, its sources, and the event destinations to send them to.",
    purpose: "Use it to get notifications of changes.",
  },
  certificate_authority: {
    prefix: "ca_",
    path: "/certificate_authorities",
    member: "certificate_authorities",
    noun: "certificate authority",
    about:
      "An X.509 certificate that mutual TLS verifies client certificates against. The fields that are read from the certificate never change.",
    purpose: "Use it to verify client certificates.",
  },
  certificate_issuer: {
    prefix: "ci_",
    path: "/certificate_issuers",
    member: "certificate_issuers",
    noun: "certificate issuer",
    about:
      "A certificate authority that the service orders certificates from with ACME (RFC 8555), and the hosts that it orders them for.",
    purpose: "Use it to get certificates for the hosts of edges, for example from Let's Encrypt.",
  },
  certificate: {
    prefix: "crt_",
    path: "/certificates",
    member: null,
    noun: "certificate",
    about: "A certificate that agents serve.",
    purpose: "Events report those that end soon.",
  },
  plan: {
    prefix: "pln_",
    path: "/plans",
    member: "plans",
    noun: "plan",
    about: "Proposed operations with their effect: what changes, and who newly gets in or is shut out.",
    purpose: "Use it to see the effect of a change before it is made, and to have somebody else approve it.",
  },
  event: {
    prefix: "ev_",
    path: "/events",
    member: "events",
    noun: "event",
    about: "A record of a change: the new object, who changed it, and when.",
    purpose: "Use it as an audit log: who changed what, and when.",
  },
} as const;

export type Kind = keyof typeof kinds;

/** The kinds of objects that a snapshot holds: only their changes make a new version of it. */
export const servedKinds = [
  "tcp_edge",
  "tls_edge",
  "https_edge",
  "https_edge_route",
  "ip_policy",
  "ip_policy_rule",
  "failover_backend",
  "http_response_backend",
  "weighted_backend",
  "static_backend",
  "certificate_authority",
] as const satisfies Kind[];

/** The kinds of backends without children. */
export const leafBackends = ["http_response_backend", "static_backend"] as const;

/** The kinds of backends, which edges and failover backends may refer to. */
export const anyBackend = ["failover_backend", "weighted_backend", ...leafBackends] as const;

/** The kinds of objects that refer to an IP policy. */
export const policyUsers = ["tcp_edge", "tls_edge", "https_edge_route"] as const;

/** The kinds of objects that can refer to any backend. */
export const backendUsers = ["tcp_edge", "tls_edge", "https_edge_route", "failover_backend"] as const;

/** "a bot user", "an IP policy", "a user". */
export const withArticle = (noun: string): string =>
  `${/^(?:[aeio]|API|IP|HTTP)/.test(noun) ? "an" : "a"} ${noun}`;

/** With a capital first letter: "Bot users". */
export const titled = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The start of names in the contract: "tcp_edge" → "TcpEdge". */
export const camelCased = (name: string): string =>
  name.replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase());

/** The start of the ids of a kind's operations: "ip_policy" → "IpPolicies". */
export const operationPrefix = (kind: Kind): string => plural(camelCased(kind));

/** "IP policy" → "IP policies". There is one API restriction at most. */
export const plural = (noun: string): string =>
  noun === kinds.api_restriction.noun ? noun : `${noun.replace(/([^aeiou])y$/, "$1ie")}s`;

/** The kinds of the ids in the path of a collection: `{ edge_id: "https_edge" }` for routes, otherwise none. */
export const ownersOf = (kind: Kind): Record<string, Kind> =>
  kind === "https_edge_route" ? { edge_id: "https_edge" } : {};
