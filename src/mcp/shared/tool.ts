import * as z from "zod";
import type { NeededRole } from "../../../packages/model/src/roles.ts";
import type { Api } from "./api.ts";

/** What a tool does, for clients that ask before some calls. */
const hints = {
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  proposes: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

/** A tool as it is declared. */
interface Declared<Input extends z.ZodType<object>> {
  name: string;
  title: string;
  description: string;
  /** Who may call it. */
  role: NeededRole;
  hints: keyof typeof hints;
  input: Input;
  output: z.ZodType<object>;
  /**
   * The question that is put to the user before the tool runs, where the client can ask. Undefined if the call will be rejected
   * anyway, or has no effect.
   */
  ask?: (given: z.output<Input>, api: Api) => Promise<string | undefined>;
  /** Returns an object that matches `output`. */
  run: (given: z.output<Input>, api: Api) => Promise<object>;
}

/** A tool for the server. */
export interface Tool extends Pick<Declared<z.ZodType<object>>, "name" | "role"> {
  /** See {@link Declared.ask}; undefined for tools that ask nothing. */
  ask: (input: unknown, api: Api) => Promise<string | undefined>;
  call: (input: unknown, api: Api) => Promise<object>;
  /** The tool in `tools/list`. */
  listed: () => ReturnType<typeof shownOf>;
}

const shownOf = (tool: Omit<Declared<z.ZodType<object>>, "run" | "ask">) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: schemaOf(tool.input, "input"),
  outputSchema: schemaOf(tool.output, "output"),
  annotations: hints[tool.hints],
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

/** Declares a tool. */
export function tool<Input extends z.ZodType<object>>(declared: Declared<Input>): Tool {
  let shown: ReturnType<typeof shownOf> | undefined;
  return {
    name: declared.name,
    role: declared.role,
    ask: async (input, api) => declared.ask?.(api.validate(declared.input, input), api),
    call: (input, api) => declared.run(api.validate(declared.input, input), api),
    listed: () => (shown ??= shownOf(declared)),
  };
}
