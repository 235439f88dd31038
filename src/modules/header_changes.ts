import * as z from "zod";
import { headerMap, headerName } from "../../packages/model/src/values/header_map.ts";
import { clearableList, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { enabled, isEnabled, plainModule } from "./module.ts";

const asGiven = (name: string): string => name;

const meanings = {
  add: "Headers to add: names and their values. Names are case-insensitive and must be unique.",
  remove: "Names of headers to remove.",
};

/** A module that adds and removes headers; their names are kept as given. */
const headersModule = <Name extends string>(
  name: Name,
  title: string,
  about: string,
  example: { add: Record<string, string>; remove: string[] },
) =>
  plainModule({
    name,
    title,
    about,
    example,
    sent: () =>
      requestObject({
        enabled: enabled(),
        add: headerMap(asGiven).describe(meanings.add).default(null),
        remove: clearableList(headerName()).describe(meanings.remove).default(null),
      }),
    shown: () =>
      z.strictObject({
        enabled: isEnabled(),
        add: z.record(z.string(), z.string()).nullable().describe(meanings.add),
        remove: z.array(z.string()).nullable().describe(meanings.remove),
      }),
  });

/** Headers added to and removed from a request before it is sent upstream. */
export const requestHeaders = headersModule(
  "request_headers",
  "request headers",
  "Headers to add to and remove from requests before they are sent upstream.",
  { add: { "X-Edge": "eu-west" }, remove: ["X-Debug"] },
);

/** Headers added to and removed from a response before it is sent to the client. */
export const responseHeaders = headersModule(
  "response_headers",
  "response headers",
  "Headers to add to and remove from responses before they are sent to the client.",
  { add: { "Strict-Transport-Security": "max-age=31536000" }, remove: ["Server"] },
);
