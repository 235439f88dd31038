/*
 * Rules of traffic policies to begin with.
 */

/** What has a traffic policy, as the service names it. */
export type PolicyTarget = "https_edge_route" | "tls_edge" | "tcp_edge";

/** The list that gets new rules. */
export const PHASE: Record<PolicyTarget, string> = {
  https_edge_route: "on_http_request",
  tls_edge: "on_tcp_connect",
  tcp_edge: "on_tcp_connect",
};

type Template = [name: string, note: string, rule: string];

const CONNECTIONS: Template[] = [
  [
    "Allow one address",
    "and deny all others",
    `  - name: one address only
    expressions: ["conn.client_ip != '203.0.113.7'"]
    actions: [{ type: deny }]`,
  ],
  [
    "Allow networks",
    "and deny all others",
    `  - name: known networks only
    actions: [{ type: restrict-ips, config: { allow: ["203.0.113.0/24"] } }]`,
  ],
];

/** Rules to begin with. The first one is shown in an empty field. */
export const TEMPLATES: Record<PolicyTarget, Template[]> = {
  tls_edge: CONNECTIONS,
  tcp_edge: CONNECTIONS,
  https_edge_route: [
    [
      "Deny requests",
      "by path, method, header or address",
      `  - name: no admin pages
    expressions: ["req.url.path.startsWith('/admin')"]
    actions: [{ type: deny }]`,
    ],
    [
      "Limit the rate",
      "of each client",
      `  - name: at most 100 a minute
    actions:
      - type: rate-limit
        config:
          name: per-client
          algorithm: sliding_window
          capacity: 100
          rate: 60s
          bucket_key: [conn.client_ip]`,
    ],
    [
      "Redirect",
      "to another host or path",
      `  - name: moved
    expressions: ["req.url.raw_path.startsWith('/old/')"]
    actions: [{ type: redirect, config: { to: "https://new.example.com\${req.url.uri}" } }]`,
    ],
    [
      "Respond",
      "in place of the backend",
      `  - name: back soon
    expressions: ["req.url.raw_path == '/shop'"]
    actions: [{ type: custom-response, config: { status_code: 503, body: "Back soon" } }]`,
    ],
    [
      "Add headers",
      "to requests sent to the backend",
      `  - name: the client's address
    actions: [{ type: add-headers, config: { headers: { x-client-ip: "\${conn.client_ip}" } } }]`,
    ],
  ],
};
