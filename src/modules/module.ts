import * as z from "zod";
import { EXAMPLE_ORIGIN } from "../../packages/model/src/ids.ts";
import { camelCased } from "../../packages/model/src/kinds.ts";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import type { Reference } from "../db/references.ts";
import type { ChangeSecret } from "../db/seals.ts";

/** The field that every module has, in responses. */
export const isEnabled = () => z.boolean().describe("Whether the module is applied to traffic.");

/** {@link isEnabled} in requests; true when left out (spec: "Module shapes shared by edges"). */
export const enabled = () => isEnabled().default(true);

/** One kind of edge module. It is stored in its request shape; responses show Refs in place of ids. */
export interface EdgeModule<Name extends string, Stored, Shown> {
  /** The field of the edge, the column of its row, and the last segment of the module's path. */
  name: Name;
  /** Its name in sentences: "Replace the circuit breaker of …". */
  title: string;
  /** A sentence on its purpose. */
  about: string;
  /** Request shape. */
  mutate: z.ZodType<Stored>;
  /** Response shape. */
  response: z.ZodType<Shown>;
  /** Converts a stored value to its response shape; `origin` is the start of every URI. */
  toApi(stored: Stored, origin: string): Shown;
  /** References in a value to objects that must exist; paths are JSON Pointers into the module. */
  references?: (stored: Stored) => Reference[];
  /** For a module with secrets: a value with each of them changed. `member` is a secret's path in the module, with dots. */
  mapSecrets?: (stored: Stored, change: ChangeSecret) => Promise<Stored>;
}

/** What a module is made of, in addition to its conversions. */
interface Definition<Name, Stored, Shown> extends Pick<
  EdgeModule<Name & string, Stored, Shown>,
  "title" | "about" | "references" | "mapSecrets"
> {
  name: Name;
  /** The description of its schemas; `about` if omitted. */
  description?: string;
  /** The start of the names of its schemas, if they are not named after it. */
  type?: string;
  /** A value as it is sent. Responses show it with its defaults. */
  example: object;
  sent: () => z.ZodType<Stored>;
  shown: () => z.ZodType<Shown>;
}

/**
 * A module. Its schemas are named after it: `circuit_breaker` → `CircuitBreakerModule` and `CircuitBreakerModuleMutate`.
 */
export function edgeModule<Name extends string, Stored extends object, Shown extends object>(
  definition: Definition<Name, Stored, Shown> & Pick<EdgeModule<Name, Stored, Shown>, "toApi">,
): EdgeModule<Name, Stored, Shown> {
  const { description, type, example, sent, shown, ...module } = definition;
  const { name, about, toApi } = module;
  const start = type ?? camelCased(name);
  return {
    ...module,
    mutate: schema(`${start}ModuleMutate`, () => ({
      description: description ?? about,
      examples: [example],
      type: sent(),
    })),
    response: schema(`${start}Module`, () => ({
      description: description ?? about,
      examples: [toApi(sent().parse(example), EXAMPLE_ORIGIN)],
      type: shown(),
    })),
  };
}

/** A module that responses show as it is stored. */
export const plainModule = <Name extends string, Stored extends object>(
  definition: Definition<Name, Stored, Stored>,
): EdgeModule<Name, Stored, Stored> => edgeModule({ ...definition, toApi: (stored) => stored });

/** The module as an optional field of a request. */
export const optionalModule = <Stored>({ mutate, about }: EdgeModule<string, Stored, unknown>) =>
  mutate.describe(about).exactOptional();

/** References in a module that is a field of a body, with pointers into that body; none if it is left out. */
export const referencesIn = <Stored>(
  { name, references }: EdgeModule<string, Stored, unknown>,
  value: Stored | null | undefined,
): Reference[] =>
  value === undefined || value === null
    ? []
    : (references?.(value) ?? []).map(({ path, id }) => ({ path: `/${name}${path}`, id }));

/** A module as an edge's response shows it; null if it is not set. */
export const shown = <Stored, Shown>(
  module: EdgeModule<string, Stored, Shown>,
  value: Stored | null,
  origin: string,
): Shown | null => (value === null ? null : module.toApi(value, origin));

/** The module as a field of a response, null if it is not set. */
export const nullableModule = <Shown>({
  response,
  about,
}: Pick<EdgeModule<string, unknown, Shown>, "response" | "about">) =>
  response.nullable().describe(`${about} Null if not set.`);
