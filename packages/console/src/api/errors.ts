import type { components } from "edge-configuration-client";

/*
 * Failures of requests, in the words that pages show.
 */

/** Errors whose message is about headers, which pages do not show. */
const wordsFor: Record<string, string> = {
  ERR_UNAUTHENTICATED: "The service does not accept the API key: it is unknown, has expired or was deleted.",
};

/** A request that failed: the service rejected it, or nothing answered. */
export class RequestFailure extends Error {
  /** The HTTP status; 0 if nothing answered. */
  readonly status: number;
  readonly code: string;
  readonly operationId: string | undefined;
  readonly details: Record<string, string>;
  /** Rejected fields, by JSON Pointer. */
  readonly fields: { path: string; msg: string }[];

  constructor(
    body: Partial<Omit<components["schemas"]["Error"], "error_code"> & { error_code: string }>,
    status: number,
  ) {
    super(
      wordsFor[body.error_code ?? ""] ?? body.msg ?? "The service cannot be reached. Check the connection.",
    );
    this.status = status;
    this.code = body.error_code ?? "";
    this.details = body.details ?? {};
    this.operationId = this.details["operation_id"];
    this.fields = body.errors ?? [];
  }

  /** The failure of one of several operations, as if it were the only one. @param pointer to its body */
  within(pointer: string): RequestFailure {
    const body = {
      error_code: this.code,
      msg: this.message.replace(/^Operation \d+: /, "").replace(/ \/operations\/[^]*$/, ""),
      details: this.details,
      errors: this.fields.flatMap(({ path, msg }) =>
        path.startsWith(`${pointer}/`) ? { path: path.slice(pointer.length), msg } : [],
      ),
    };
    return new RequestFailure(body, this.status);
  }
}

/** Any thrown value as a failure. */
export const failureOf = (error: unknown): RequestFailure =>
  error instanceof RequestFailure
    ? error
    : new RequestFailure({ msg: error instanceof Error ? error.message : "Something went wrong." }, 0);
