import * as z from "zod";
import { documentedAs, list, object } from "../../schemas.ts";
import {
  type Action,
  addresses,
  type Bool,
  type Int,
  keptFlags,
  needs,
  orders,
  type TextPart,
  plainInts,
  plainTexts,
  type Program,
  type Rule,
  type Text,
  textTests,
  type To,
} from "./program.ts";

/*
 * The schema of programs, for agents: a program becomes configuration of a proxy, so every value is checked.
 */

/** The most levels of a program: expressions have at most 32, and expanded lists add a few. */
const MOST_LEVELS = 80;

const text = () =>
  z.string().refine((value) => value.isWellFormed() && !value.includes("\0"), "Not a usable string.");
/** A name that becomes part of the name of a variable. */
const variable = () => z.string().regex(/^[A-Za-z_]\w{0,63}$/);
const header = () => z.string().regex(/^[!#$%&'*+\-.^_`|~0-9a-z]{1,256}$/);
const range = () => z.string().regex(/^[0-9a-f:.]{2,45}\/\d{1,3}$/);
const integer = (least: number, most: number) => z.int().min(least).max(most);
const anyInteger = () => z.int();

const lines = () => object({ from: z.enum(["header", "response_header"]), name: header() });

const textSchema: z.ZodType<Text> = z.lazy(() =>
  z.union([
    object({ from: z.enum(plainTexts) }),
    object({ from: z.literal("line"), of: lines(), index: integer(0, 100) }),
    object({ from: z.enum(["query_param", "cookie"]), name: z.string().regex(/^[!-~]{1,256}$/) }),
    object({ from: z.literal("var"), name: variable() }),
    object({ from: z.literal("restrict_ips_action") }),
    object({ from: z.enum(["lower", "upper"]), of: textSchema }),
  ]),
);

const intSchema: z.ZodType<Int> = z.lazy(() =>
  z.union([
    object({ from: z.enum(plainInts) }),
    object({ from: z.literal("count"), of: lines() }),
    object({ from: z.literal("size"), of: textSchema }),
    object({ from: z.literal("var"), name: variable() }),
  ]),
);

const boolSchema: z.ZodType<Bool> = z.lazy(() =>
  z.discriminatedUnion("op", [
    object({ op: z.literal("const"), value: z.boolean() }),
    object({ op: z.literal("error") }),
    object({ op: z.literal("not"), of: boolSchema }),
    object({ op: z.literal("and"), of: list(boolSchema) }),
    object({ op: z.literal("or"), of: list(boolSchema) }),
    object({ op: z.literal("if"), if: boolSchema, yes: boolSchema, no: boolSchema }),
    object({ op: z.literal("text"), text: textSchema, test: z.enum(textTests), values: list(text()) }),
    object({ op: z.literal("same"), a: textSchema, b: textSchema }),
    object({ op: z.literal("line"), of: lines(), test: z.enum(textTests), values: list(text()) }),
    object({ op: z.literal("int"), int: intSchema, order: z.enum(orders), value: anyInteger() }),
    object({ op: z.literal("address"), address: z.enum(addresses), in: list(range()) }),
    object({
      op: z.literal("has"),
      map: z.enum(["query_param", "cookie"]),
      name: z.string().regex(/^[!-~]{1,256}$/),
    }),
    object({ op: z.literal("time"), order: z.enum(orders), value: anyInteger() }),
    object({ op: z.literal("var"), name: variable() }),
    object({ op: z.literal("kept"), name: z.enum(keptFlags) }),
  ]),
);

const part = (): z.ZodType<TextPart> =>
  z.union([
    text(),
    object({ text: textSchema }),
    object({ int: intSchema }),
    object({ address: z.enum(addresses) }),
    object({ bool: boolSchema }),
  ]);
const parts = () => list(part());
const headers = () => list(z.tuple([header(), parts()]));

const to = (): z.ZodType<To> =>
  z.union([
    object({ to: parts() }),
    object({ pattern: text(), replacement: list(z.union([text(), integer(1, 9)])) }),
  ]);

const status = () => integer(200, 599);

const action = (): z.ZodType<Action> =>
  z.discriminatedUnion("do", [
    object({ do: z.literal("deny"), status: status() }),
    object({ do: z.literal("close") }),
    object({ do: z.literal("respond"), status: status(), type: text(), body: parts(), headers: headers() }),
    object({ do: z.literal("redirect"), status: integer(300, 399), to: to(), headers: headers() }),
    object({ do: z.literal("rewrite"), to: to() }),
    object({ do: z.literal("add_headers"), headers: headers() }),
    object({ do: z.literal("remove_headers"), names: list(header()) }),
    object({
      do: z.literal("restrict_ips"),
      allow: list(range()),
      deny: list(range()),
      enforce: z.boolean(),
    }),
    object({
      do: z.literal("rate_limit"),
      name: text(),
      capacity: integer(1, 2_000_000_000),
      seconds: integer(60, 86_400),
      key: parts(),
      enforce: z.boolean(),
    }),
    object({
      do: z.literal("basic_auth"),
      credentials: list(
        object({ user: z.string().regex(/^[!-9;-~]{1,256}$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
      ),
      realm: z.string().regex(/^[ -~]{0,128}$/),
      enforce: z.boolean(),
    }),
    object({
      do: z.literal("jwt"),
      header: header(),
      prefix: z.string().regex(/^[ -~]{0,64}$/),
      issuers: list(text()),
      audiences: list(text()),
      algorithms: list(z.string().regex(/^(?:RS|ES)(?:256|384|512)$/)),
      key_urls: list(z.string().regex(/^https:\/\/[^\s\p{Cc}"'\\]{1,1024}$/u)),
    }),
    object({
      do: z.literal("set_vars"),
      vars: list(
        object({
          name: variable(),
          value: z.union([
            object({ text: parts() }),
            object({ int: anyInteger() }),
            object({ bool: z.boolean() }),
          ]),
        }),
      ),
    }),
    object({ do: z.literal("compress"), algorithms: list(z.enum(["gzip", "deflate"])) }),
    object({ do: z.literal("log") }),
  ]);

const rules = (): z.ZodType<Rule[]> =>
  list(object({ name: text().nullable(), expressions: list(boolSchema), actions: list(action()) }));

const isShallow = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1)));

/** The schema of a program. The documentation only says that it is an object. */
export const programSchema = (): z.ZodType<Program> =>
  z
    .custom<unknown>((value) => isShallow(value), "Nested too deeply.")
    .pipe(
      object({
        needs: list(z.enum(needs)),
        rules: object({ on_tcp_connect: rules(), on_http_request: rules(), on_http_response: rules() }),
      }),
    )
    .pipe(documentedAs<Program>(z.custom<Program>()));
