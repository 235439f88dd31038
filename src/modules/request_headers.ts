import * as z from "zod";
import type { StoredRequestHeaders } from "../db/schema.ts";
import { headerMap, headerName } from "../values/headers.ts";
import { list, members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const asGiven = (name: string): string => name;

const RequestHeadersModuleMutate = members({
  enabled,
  add: headerMap(asGiven).nullable().default(null),
  remove: list(headerName()).default(null),
}).meta({ id: "RequestHeadersModuleMutate" });

const RequestHeadersModule = z
  .strictObject({
    enabled: z.boolean(),
    add: z.record(z.string(), z.string()).nullable(),
    remove: z.array(z.string()).nullable(),
  })
  .meta({ id: "RequestHeadersModule" });

/** Headers added to and removed from a request before it goes upstream; names stay as given. */
export const requestHeaders: EdgeModule<StoredRequestHeaders, z.infer<typeof RequestHeadersModule>> = {
  name: "request_headers",
  title: "request headers",
  mutate: RequestHeadersModuleMutate,
  response: RequestHeadersModule,
  toApi: (stored) => stored,
  references: () => [],
};
