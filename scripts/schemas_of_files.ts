/** Names of the schemas in `components` that files of the command `edge` need, in addition to referenced schemas. */
const names = [
  "IpPolicyCreate",
  "IpPolicyRuleCreate",
  "CertificateAuthorityCreate",
  "HttpResponseBackendCreate",
  "StaticBackendCreate",
  "WeightedBackendCreate",
  "FailoverBackendCreate",
  "TcpEdgeCreate",
  "TlsEdgeCreate",
  "HttpsEdgeCreate",
  "HttpsEdgeRouteCreate",
  "EventDestinationCreate",
  "EventSubscriptionCreate",
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Removes the parts for people: examples, and descriptions that are strings. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !(name === "description" && typeof item === "string") && name !== "examples")
      .map(([name, item]) => [name, bare(item)]),
  );
}

/** The schemas of `names` and all schemas that they refer to, as JSON. @param document the OpenAPI document, as JSON */
export function schemasOfFiles(document: string): string {
  const parsed: unknown = JSON.parse(document);
  const components = isObject(parsed) && isObject(parsed["components"]) ? parsed["components"] : {};
  const schemas = isObject(components["schemas"]) ? components["schemas"] : {};
  const found = new Map<string, unknown>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const schema = bare(schemas[name]);
    found.set(name, schema);
    for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      add(String(other));
  };
  for (const name of names) add(name);
  return `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
}
