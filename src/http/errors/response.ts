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
      error_code: z.enum(Object.keys(errorCodes)).describe("What went wrong, for programs."),
      status_code: z.int().describe("The response's status."),
      msg: z
        .string()
        .describe(
          "What went wrong, for people; of rejected members, how many and what is wrong with the first.",
        ),
      details: z
        .record(z.string(), z.string())
        .describe(
          "More of it; always with `operation_id`, the same as in the header `Service-Operation-Id`.",
        ),
      errors: z
        .array(
          z.strictObject({
            path: z
              .string()
              .describe(
                "A JSON Pointer (RFC 6901) into the body, or the name of a query parameter or header.",
              ),
            msg: z.string().describe("What would be right."),
          }),
        )
        .max(MEMBER_ERRORS_SHOWN)
        .describe("The rejected members; only there for these.")
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

/** Builds the response for an error: the only place that defines its shape. */
export function answer(c: Context<App>, { code, message, extras }: ApiError): Response {
  const { errors, details, headers } = extras;
  const { status } = errorCodes[code];
  const body: z.output<typeof ErrorResponse> = {
    error_code: code,
    status_code: status,
    msg: message,
    details: { operation_id: c.get("request").operationId, ...details },
    ...(errors && { errors: errors.slice(0, MEMBER_ERRORS_SHOWN) }),
  };
  return respond(c, status, JSON.stringify(body), headers);
}
