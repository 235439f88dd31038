import { KEY_ID, newId, type Subject } from "./shared.ts";

/** The same Worker, which also writes one log line per request, with the same fields as the service's line and as long. */
export const logged = <Env>(worker: Subject<Env>) => ({
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const started = Date.now();
    const response = await worker.fetch(request, env, context);
    console.info(
      JSON.stringify({
        level: "info",
        msg: "request",
        operation_id: newId("op_"),
        key_id: response.status === 401 ? undefined : KEY_ID,
        method: request.method,
        route: routeOf(request.url),
        status: response.status,
        duration_ms: Date.now() - started,
        d1_round_trips: 1,
        d1_rows_read: 1,
        d1_rows_written: 1,
      }),
    );
    return response;
  },
});

/** The path of a URL without its query, and with `:id` for an id. */
function routeOf(url: string): string {
  const [path = ""] = url.slice(url.indexOf("/", 8)).split("?");
  return path.replace(/edgtcp_\w+/, ":id");
}
