import * as z from "zod";
import type { Tool } from "../mcp/shared/tool.ts";

/*
 * Runs when the service is built, because the list of tools only depends on the code.
 */

/** Hints about what a tool does, for clients that ask the user before some calls. */
const hints = {
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  proposes: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

/** All tools as `tools/list` shows them, as JSON: the Worker leaves out those that the caller's role does not include. */
export const toolList = (tools: Tool[]): string =>
  JSON.stringify({
    tools: tools.map(({ name, declared: { title, description, input, output, hints: sort } }) => ({
      name,
      title,
      description,
      inputSchema: schemaOf(input, "input"),
      outputSchema: schemaOf(output, "output"),
      annotations: hints[sort],
    })),
  });

/** The JSON Schema of an object. */
function schemaOf(schema: z.ZodType<object>, io: "input" | "output") {
  const { $schema: _, ...rest } = portable(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  return { ...rest, type: "object" as const };
}

const isEmpty = (schema: unknown): boolean => JSON.stringify(schema) === "{}";

/** A JSON Schema in the spelling that most clients understand: `true` instead of `{}`, and one `type` in each schema. */
function portable(schema: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>({ ...schema })) {
    if (name === "additionalProperties" && isEmpty(value)) shown[name] = true;
    else if (name === "type" && Array.isArray(value))
      shown["anyOf"] = value.map((type: unknown) => ({ type }));
    else shown[name] = portableValue(value);
  }
  return shown;
}

function portableValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portableValue);
  return typeof value === "object" && value !== null ? portable(value) : value;
}
