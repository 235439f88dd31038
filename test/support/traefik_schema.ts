/**
 * A JSON schema of the part of Traefik v3's dynamic configuration that is used here. It was written from Traefik's
 * reference (https://doc.traefik.io/traefik/reference/routing-configuration/), not copied. The public schema of the
 * file provider (SchemaStore, traefik-v3-file-provider.json) leaves `http`, `tcp`, servers and TLS options open and
 * does not know `tcp.middlewares` or `serversTransports`. This schema is closed everywhere, because Traefik drops a
 * whole update for an unknown field. It also requires that no map and no list is empty: Traefik rejects an empty map
 * ("cannot be a standalone element") and reads an empty list as a missing one.
 */

const closed = (properties: Record<string, object>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
  minProperties: 1,
});
/** A map whose keys are names of objects. Traefik must allow them (no `@`), and YAML must allow them as keys. */
const named = (values: object) => ({
  type: "object",
  propertyNames: { pattern: "^[A-Za-z0-9_-]{1,200}$" },
  additionalProperties: values,
  minProperties: 1,
});
const list = (items: object) => ({ type: "array", items, minItems: 1 });

/** Printable ASCII: Traefik reads the body as YAML, which rejects or folds some other characters. */
const text = { type: "string", pattern: "^[ -~]+$" };
const pem = {
  type: "string",
  pattern: "^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n$",
};
const priority = { type: "integer", minimum: 1, maximum: 100_000 };
const statusCode = { type: "integer", minimum: 400, maximum: 599 };
const addresses = list({ type: "string", pattern: "^[0-9a-f.:]+/[0-9]{1,3}$" });
const headers = {
  type: "object",
  propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$" },
  additionalProperties: { type: "string", pattern: "^[ -~]*$" },
  minProperties: 1,
};
const weighted = closed(
  { services: list(closed({ name: text, weight: { type: "integer", minimum: 1 } }, ["name", "weight"])) },
  ["services"],
);
const router = { entryPoints: list(text), rule: text, service: text, middlewares: list(text) };
const options = closed({ options: text }, ["options"]);
const url = { type: "string", pattern: "^https?://[^/]+:[0-9]+$" };

export const traefikSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    http: closed({
      routers: named(
        closed({ ...router, priority, tls: options }, ["entryPoints", "rule", "service", "priority", "tls"]),
      ),
      services: named({
        oneOf: [
          closed({ weighted }, ["weighted"]),
          closed(
            {
              loadBalancer: closed({ servers: list(closed({ url }, ["url"])), serversTransport: text }, [
                "servers",
              ]),
            },
            ["loadBalancer"],
          ),
        ],
      }),
      middlewares: named({
        oneOf: [
          closed(
            {
              ipAllowList: closed({ sourceRange: addresses, rejectStatusCode: statusCode }, ["sourceRange"]),
            },
            ["ipAllowList"],
          ),
          // Without fields, it stands for all defaults.
          closed({ compress: { type: "object", maxProperties: 0 } }, ["compress"]),
          closed({ headers: closed({ customRequestHeaders: headers, customResponseHeaders: headers }) }, [
            "headers",
          ]),
        ],
      }),
      serversTransports: named(closed({ serverName: text }, ["serverName"])),
    }),
    tcp: closed({
      routers: named(
        closed(
          { ...router, tls: { oneOf: [options, closed({ passthrough: { const: true } }, ["passthrough"])] } },
          ["entryPoints", "rule", "service"],
        ),
      ),
      services: named({
        oneOf: [
          closed({ weighted }, ["weighted"]),
          closed(
            {
              loadBalancer: closed(
                {
                  servers: list(closed({ address: text, tls: { type: "boolean" } }, ["address"])),
                  serversTransport: text,
                },
                ["servers"],
              ),
            },
            ["loadBalancer"],
          ),
        ],
      }),
      middlewares: named(
        closed({ ipAllowList: closed({ sourceRange: addresses }, ["sourceRange"]) }, ["ipAllowList"]),
      ),
      serversTransports: named(closed({ tls: closed({ serverName: text }, ["serverName"]) }, ["tls"])),
    }),
    tls: closed({
      options: named(
        closed(
          {
            minVersion: { enum: ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"] },
            alpnProtocols: list(text),
            clientAuth: closed(
              { caFiles: list(pem), clientAuthType: { const: "RequireAndVerifyClientCert" } },
              ["caFiles", "clientAuthType"],
            ),
          },
          ["minVersion"],
        ),
      ),
    }),
  },
};
