import * as z from "zod";

/*
 * One file for each operation, which tools for AI agents return: what the operation takes. Cut out of the OpenAPI document.
 */

const Content = z.object({
  "application/json": z.object({ schema: z.record(z.string(), z.unknown()), example: z.unknown() }),
});
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string(),
        description: z.string(),
        "x-required-role": z.string().optional(),
        parameters: z.array(z.unknown()).optional(),
        requestBody: z.object({ content: Content }).optional(),
        responses: z.record(z.string(), z.object({ $ref: z.string().optional() })),
      }),
    ),
  ),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.object({ description: z.string() })),
  }),
});

/** The schemas that a schema refers to, with those that they refer to. */
function referredBy(value: unknown, schemas: Record<string, unknown>, found: Record<string, unknown> = {}) {
  if (typeof value !== "object" || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    const [, id] = (name === "$ref" && /^#\/components\/schemas\/(.+)$/.exec(String(member))) || [];
    if (id !== undefined && !(id in found)) {
      found[id] = schemas[id];
      referredBy(schemas[id], schemas, found);
    }
    referredBy(member, schemas, found);
  }
  return found;
}

/** The files: the name of each, and its text. @param openApi the OpenAPI document */
export function operationSheets(openApi: string): Map<string, string> {
  const { paths, components } = Document.parse(JSON.parse(openApi));
  const text = (value: unknown) => JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/");
  const sheets = new Map<string, string>();
  const all: string[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, summary, description, requestBody, responses } = operation;
      const body = requestBody?.content["application/json"];
      const $defs = referredBy(body?.schema, components.schemas);
      const errors = Object.entries(responses).flatMap(([status, { $ref }]) => {
        const found = components.responses[$ref?.split("/").at(-1) ?? ""];
        return found ? [[status, found.description] as const] : [];
      });
      all.push(`${method.toUpperCase()} ${path}: ${summary}`);
      sheets.set(
        `${method.toUpperCase()}${path.replaceAll(/\{\w+\}/g, "_")}.json`,
        text({
          operation: `${method.toUpperCase()} ${path}`,
          operation_id: operationId,
          description,
          required_role: operation["x-required-role"] ?? null,
          body: body ? { ...body.schema, ...(Object.keys($defs).length > 0 && { $defs }) } : null,
          example: body?.example ?? null,
          errors: Object.fromEntries(errors),
        }),
      );
    }
  sheets.set(
    "index.json",
    text({ msg: "There is no such operation. Choose one of these.", operations: all }),
  );
  return sheets;
}
