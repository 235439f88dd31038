import * as z from "zod";
import type { StoredRequestHeaders } from "../db/schema.ts";
import { headerMap, headerName } from "../values/header_map.ts";
import { clearableList, requestObject } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const asGiven = (name: string): string => name;

const description = "Headers to add to and remove from requests before they are sent upstream.";
const meanings = {
  add: "Headers to add: names and their values. Names are case-insensitive and must be unique.",
  remove: "Names of headers to remove.",
};
const example = { add: { "X-Edge": "eu-west" }, remove: ["X-Debug"] };

const RequestHeadersModuleMutate = z.lazy(() =>
  requestObject({
    enabled: enabled(),
    add: headerMap(asGiven).describe(meanings.add).default(null),
    remove: clearableList(headerName()).describe(meanings.remove).default(null),
  }).meta({ id: "RequestHeadersModuleMutate", description, examples: [example] }),
);

const RequestHeadersModule = z.lazy(() =>
  z
    .strictObject({
      enabled: isEnabled(),
      add: z.record(z.string(), z.string()).nullable().describe(meanings.add),
      remove: z.array(z.string()).nullable().describe(meanings.remove),
    })
    .meta({ id: "RequestHeadersModule", description, examples: [{ enabled: true, ...example }] }),
);

/** Headers added to and removed from a request before it is sent upstream; names are kept as given. */
export const requestHeaders: EdgeModule<
  "request_headers",
  StoredRequestHeaders,
  z.output<typeof RequestHeadersModule>
> = {
  name: "request_headers",
  title: "request headers",
  about: description,
  mutate: RequestHeadersModuleMutate,
  response: RequestHeadersModule,
  toApi: (stored) => stored,
};
