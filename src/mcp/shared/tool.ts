import type * as z from "zod";
import type { NeededRole } from "../../../packages/model/src/roles.ts";
import type { Api } from "./api.ts";

/** A tool as it is declared. */
export interface DeclaredTool<Input extends z.ZodType<object>> {
  name: string;
  title: string;
  description: string;
  /** Who may call it. */
  role: NeededRole;
  /** Hints about what the tool does, for clients that ask the user before some calls. */
  hints: "reads" | "proposes" | "changes";
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
export interface Tool extends Pick<DeclaredTool<z.ZodType<object>>, "name" | "role"> {
  /** See {@link DeclaredTool.ask}; undefined for tools that ask nothing. */
  ask: (input: unknown, api: Api) => Promise<string | undefined>;
  call: (input: unknown, api: Api) => Promise<object>;
  /** What `tools/list` shows of it: not in the Worker, which has the list as a static asset. */
  declared: Pick<DeclaredTool<z.ZodType<object>>, "title" | "description" | "hints" | "input" | "output">;
}

/** Declares a tool. */
export function tool<Input extends z.ZodType<object>>(declared: DeclaredTool<Input>): Tool {
  return {
    name: declared.name,
    role: declared.role,
    ask: async (input, api) => declared.ask?.(api.validate(declared.input, input), api),
    call: (input, api) => declared.run(api.validate(declared.input, input), api),
    declared,
  };
}
