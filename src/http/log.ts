/** Writes one structured line about something that an operator has to look at. Never give it request data. */
export function logFault(operationId: string, msg: string, cause?: string): void {
  console.error(JSON.stringify({ level: "error", operation_id: operationId, msg, cause }));
}

/** Writes the one structured line of a handled request. */
export function logRequest(line: {
  operation_id: string;
  method: string;
  /** Pattern of the route, `/edges/tcp/:id`; left out when no route matched. */
  route: string | undefined;
  status: number;
  duration_ms: number;
}): void {
  console.info(JSON.stringify({ level: "info", msg: "request", ...line }));
}
