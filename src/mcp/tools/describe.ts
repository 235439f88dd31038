import * as z from "zod";
import { open } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

/** Where the build writes the description of an operation. An id in the path is written as `_`. */
const assetOf = (method: string, path: string): string =>
  `operations/${method}/${path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (/^[a-z_]+$/.test(part) && !part.startsWith("_") ? part : "_"))
    .join("/")}.json`;

/** Describes an operation of the API. */
export const describe = tool({
  name: "describe",
  title: "Describe an operation",
  description:
    "Returns what an API operation takes: the JSON Schema of its body, an example and its errors. Read this before plan_change. Without such an operation, lists them.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: z.string().max(300).describe("/edges/tcp/{id}, or with an object's id"),
  }),
  output: open(),
  run: async ({ method, path }, api) => {
    const found = (await api.asset(assetOf(method, path))) ?? (await api.asset("operations/index.json"));
    if (!found) throw new Error("The assets have no descriptions of operations: run npm run build.");
    return found;
  },
});
