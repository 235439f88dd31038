import type { Context } from "hono";
import * as z from "zod";
import type { App } from "../../env.ts";
import { respond } from "../responses/respond.ts";
import { errorCodes } from "./codes.ts";
import { type ApiError, MEMBER_ERRORS_SHOWN } from "./errors.ts";

/** The body of every error response. */
export const ErrorResponse = z.lazy(() =>
  z
    .strictObject({
      error_code: z.enum(Object.keys(errorCodes)).describe("What went wrong, for programs to act on."),
      status_code: z.int().describe("The status code of the response."),
      msg: z
        .string()
        .describe(
          "What went wrong, for people. If members were rejected: how many, and what is wrong with the first.",
        ),
      details: z
        .record(z.string(), z.string())
        .describe(
          "Further information. Always includes `operation_id`, which is also in the header `Service-Operation-Id`; `used_by` lists what uses an object that cannot be deleted.",
        ),
      errors: z
        .array(
          z.strictObject({
            path: z
              .string()
              .describe(
                "A JSON Pointer into the request body (RFC 6901), or the name of a query parameter or header.",
              ),
            msg: z.string().describe("What is wrong with it, or what is expected."),
          }),
        )
        .max(MEMBER_ERRORS_SHOWN)
        .describe("Every rejected member, parameter and header. Present only if there are any.")
        .optional(),
    })
    .meta({
      id: "Error",
      description: "The body of every error response.",
      examples: [
        {
          error_code: "ERR_INVALID_REQUEST",
          status_code: 400,
          msg: "The request is invalid. /target/cloud_logs/auth: Set exactly one of role or creds.",
          details: { operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX" },
          errors: [{ path: "/target/cloud_logs/auth", msg: "Set exactly one of role or creds." }],
        },
      ],
    }),
);

/** The body of the response for an error: the only place that defines its shape. */
export const errorBody = (
  { code, message, extras: { errors, details } }: ApiError,
  operationId: string,
): z.output<typeof ErrorResponse> => ({
  error_code: code,
  status_code: errorCodes[code].status,
  msg: message,
  details: { operation_id: operationId, ...details },
  ...(errors && { errors: errors.slice(0, MEMBER_ERRORS_SHOWN) }),
});

/** Builds the response for an error. */
export function answer(c: Context<App>, error: ApiError): Response {
  const body = errorBody(error, c.get("request").operationId);
  return respond(c, body.status_code, JSON.stringify(body), error.extras.headers);
}
