import { type Fields, isFields } from "../api/client.ts";
import type { BackendObject, EdgeObject, RouteObject } from "../api/lists.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleInput, textOf } from "../changes/diff.ts";
import { asRequest } from "../changes/request.ts";

/*
 * Objects as text to copy: as a request of curl, and as the lines of a file for the command `edge`. Neither has a key or a
 * secret.
 */

/** A request that creates an equal object, and the object as a file has it. */
export interface Copies {
  request: { method: "POST" | "PUT"; path: string; body: Fields };
  file: { section: string; fields: Fields };
}

/** Fields of responses that no request has. */
const READ_ONLY = new Set(["id", "uri", "created_at", "edge_id", "kind", "policy", "routes"]);

/** What stands for a secret, which no response shows. Files replace it by the value of an environment variable. */
const SECRET = "${SECRET}";

/** The fields of a request that creates an equal object: without fields that are not set. */
function bodyOf(object: Fields): Fields {
  const set = Object.entries(object).filter(([name, value]) => !READ_ONLY.has(name) && value !== null);
  return Object.fromEntries(
    set.map(([name, value]) => [name, isFields(value) ? moduleOf(name, value) : value] as const),
  );
}

function moduleOf(name: string, module: Fields): Fields {
  const needsSecret = name === "webhook_verification" && module["provider"] !== "sns";
  const fields = Object.entries(asRequest(name, module)).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(fields), ...(needsSecret && { secret: SECRET }) };
}

/** An edge with its routes, or one of its routes. A file has a route only within its edge. */
export function copiesOfEdge(edge: EdgeObject, route?: RouteObject): Copies {
  const body = bodyOf({ ...(route ?? edge) });
  const path = route ? `/edges/https/${edge.id}/routes` : `/edges/${edge.kind}`;
  const routes = edge.kind === "https" ? edge.routes.map((one) => bodyOf({ ...one })) : [];
  const fields = { ...bodyOf({ ...edge }), ...(routes.length > 0 && { routes }) };
  return { request: { method: "POST", path, body }, file: { section: `${edge.kind}_edges`, fields } };
}

/** A backend. */
export function copiesOfBackend(backend: BackendObject): Copies {
  const { kind } = backend;
  const fields = bodyOf({ ...backend });
  return {
    request: { method: "POST", path: `/backends/${kind}`, body: fields },
    file: { section: `${kind}_backends`, fields },
  };
}

/** A policy. The request sets its rules, because they are what it consists of. */
export function copiesOfPolicy(policy: Fields & { id: string }, all: RuleInput[]): Copies {
  const rules = all.map((rule) => ({ ...ruleInput(rule) }));
  return {
    request: { method: "PUT", path: `/ip_policies/${policy.id}/rules`, body: { rules } },
    file: { section: "ip_policies", fields: { ...bodyOf(policy), ...(rules.length > 0 && { rules }) } },
  };
}

/** A string in single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that sends a request. The key is in the variable that `edge` reads too. */
export const curlOf = ({ method, path, body }: Copies["request"], origin: string): string =>
  [
    `curl -X ${method} ${quoted(origin + path)}`,
    '-H "Authorization: Bearer $API_KEY"',
    "-H 'Service-Version: 2'",
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n  ");

/** A name for a file: a letter, then letters, digits and underscores. */
function nameFor(fields: Fields, section: string): string {
  const words = textOf(fields["description"])
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).join("_").replace(/^[^a-z]+/, "");
  return (name || section.replace(/_(?:edges|backends)$/, "")).slice(0, 64);
}

/** The lines of a file with this object. References stay ids, which files may have. */
export function yamlOf({ section, fields }: Copies["file"]): string {
  return blockOf({ [section]: { [nameFor(fields, section)]: fields } }, "")
    .join("\n")
    .concat("\n");
}

/** A value in YAML. JSON's strings, numbers and empty lists are YAML too. */
function blockOf(value: Fields, indent: string): string[] {
  return Object.entries(value).flatMap(([name, item]) => {
    const key = `${indent}${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}:`;
    if (isFields(item) && Object.keys(item).length > 0) return [key, ...blockOf(item, `${indent}  `)];
    if (Array.isArray(item) && item.length > 0)
      return [key, ...item.flatMap((each) => itemOf(each, `${indent}  `))];
    return [`${key} ${JSON.stringify(item)}`];
  });
}

/** An item of a list: objects begin on the line of the dash. */
function itemOf(item: unknown, indent: string): string[] {
  if (!isFields(item) || Object.keys(item).length === 0) return [`${indent}- ${JSON.stringify(item)}`];
  const [first = "", ...others] = blockOf(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...others];
}
