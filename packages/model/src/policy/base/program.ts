import * as z from "zod";
import { documentedAs, list, object } from "../../schemas.ts";

/*
 * A compiled policy: typed JSON without CEL, YAML or defaults. The service compiles policies, agents render programs, and the
 * evaluator runs them. A program becomes configuration of a proxy, so its schema checks every value.
 */

export const phases = ["on_tcp_connect", "on_http_request", "on_http_response"] as const;
export type Phase = (typeof phases)[number];

const plainTexts = [
  "method",
  "path",
  "raw_path",
  "query",
  "uri",
  "host",
  "user_agent",
  "content_type",
  "sni",
  "tls_version",
  "alpn",
  "client_common_name",
] as const;
const plainInts = ["content_length", "client_port", "server_port", "status_code"] as const;
const addresses = ["client_ip", "server_ip"] as const;
const textTests = ["is", "begins", "ends", "contains", "matches"] as const;
const orders = ["==", "<", "<=", ">", ">="] as const;
const keptFlags = ["limited", "authorized"] as const;

/** All lines of a header. */
export interface Lines {
  from: "header" | "response_header";
  /** In lower case. */
  name: string;
}

/** A string that a request, a connection or a variable has, or an error. */
export type Text =
  | { from: (typeof plainTexts)[number] }
  | { from: "line"; of: Lines; index: number }
  | { from: "query_param" | "cookie" | "var"; name: string }
  | { from: "restrict_ips_action" }
  | { from: "lower" | "upper"; of: Text };

/** A number, or an error. */
export type Int =
  | { from: (typeof plainInts)[number] }
  | { from: "count"; of: Lines }
  | { from: "size"; of: Text }
  | { from: "var"; name: string };

export type AddressVariable = (typeof addresses)[number];
export type TextTest = (typeof textTests)[number];
export type Order = (typeof orders)[number];

/** A condition: true, false, or an error. */
export type Bool =
  | { op: "const"; value: boolean }
  | { op: "error" }
  | { op: "not"; of: Bool }
  | { op: "and"; of: Bool[] }
  | { op: "or"; of: Bool[] }
  | { op: "if"; if: Bool; yes: Bool; no: Bool }
  /** True if the test holds for at least one of the values. `matches` has one value: a pattern. */
  | { op: "text"; text: Text; test: TextTest; values: string[] }
  | { op: "same"; a: Text; b: Text }
  /** True if the test, which is not `matches`, holds for at least one line and one value. */
  | { op: "line"; of: Lines; test: TextTest; values: string[] }
  | { op: "int"; int: Int; order: Order; value: number }
  | { op: "address"; address: AddressVariable; in: string[] }
  | { op: "has"; map: "query_param" | "cookie"; name: string }
  /** Compares the time, in whole seconds since the Unix epoch. */
  | { op: "time"; order: Order; value: number }
  | { op: "var"; name: string }
  | { op: "kept"; name: (typeof keptFlags)[number] };

/** A part of a string that is composed for each request: constant, or a value, which is empty if it is an error. */
export type TextPart = string | { text: Text } | { int: Int } | { address: AddressVariable } | { bool: Bool };

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

const varValue = () =>
  z.union([object({ text: parts() }), object({ int: anyInteger() }), object({ bool: z.boolean() })]);

/** A new URL: composed, or made from the old URL by replacing every match of a pattern. `$1` is the first group. */
const to = () =>
  z.union([
    object({ to: parts() }),
    object({ pattern: text(), replacement: list(z.union([text(), integer(1, 9)])) }),
  ]);

const status = () => integer(200, 599);

const action = () =>
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
      vars: list(object({ name: variable(), value: varValue() })),
    }),
    object({ do: z.literal("compress"), algorithms: list(z.enum(["gzip", "deflate"])) }),
    object({ do: z.literal("log") }),
  ]);

const rule = () =>
  object({ name: text().nullable(), expressions: list(boolSchema), actions: list(action()) });
const rules = () => list(rule());

/** What a program needs of its edge. */
const needs = ["tls_termination", "mutual_tls"] as const;

const program = () =>
  object({
    needs: list(z.enum(needs)),
    rules: object({ on_tcp_connect: rules(), on_http_request: rules(), on_http_response: rules() }),
  });

const isShallow = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1)));

/** The schema of a program. The documentation only says that it is an object. */
export const programSchema = (): z.ZodType<Program> =>
  z
    .custom<unknown>((value) => isShallow(value), "Nested too deeply.")
    .pipe(program())
    .pipe(documentedAs<Program>(z.custom<Program>()));

type Of<Schema extends () => z.ZodType> = z.output<ReturnType<Schema>>;

export type To = Of<typeof to>;
export type HeaderParts = Of<typeof headers>;
export type VarValue = Of<typeof varValue>;
export type Action = Of<typeof action>;
export type Rule = Of<typeof rule>;
export type Need = (typeof needs)[number];
export type Program = Of<typeof program>;

/** All actions of a program. */
export const actionsIn = (program: Program | null | undefined): Action[] =>
  Object.values(program?.rules ?? {})
    .flat()
    .flatMap(({ actions }) => actions);
