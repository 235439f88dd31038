import type { Work } from "./subjects/metered.ts";

/** The work of a subject for one request. */
export interface Done {
  subject: string;
  work: Work;
  /** The body of the response. */
  text: string;
  /** The newest event in the subject's database: its type, and the bytes of its strings. */
  event: unknown;
}

/** The relative difference that is allowed between the log line of a peer and that of the service. */
const LOG_TOLERANCE = 0.05;

/** Reads {@link Done.event}. */
export async function newestEvent(database: D1Database): Promise<unknown> {
  const bytes = "octet_length(operation_id) + octet_length(principal) + octet_length(origin)";
  const { results } = await database
    .prepare(
      `select type, octet_length(object_id) + ${bytes} + octet_length(object) as bytes from events order by seq desc limit 1`,
    )
    .all();
  return results[0];
}

/**
 * Checks that ratios compare the same work, so that the subjects cannot drift away from the service.
 *
 * @param floor the floor that records events
 * @param peer the peer that writes a log line
 * @throws if the floor does not send as many statements, write as many rows, record the same event and respond with as
 * much JSON as the service, or if the peer does not write a log line like the service's
 */
export function assertSameWork(
  title: string,
  isSuccess: boolean,
  service: Done,
  floor: Done,
  peer: Done,
): void {
  const differences: string[] = [];
  const compare = (what: string, ours: unknown, theirs: unknown, { subject }: Done): void => {
    const [own, other] = [JSON.stringify(ours), JSON.stringify(theirs)];
    if (own !== other) differences.push(`${what}: ${own} by the service, ${other} by ${subject}`);
  };
  compare("round trips", service.work.roundTrips, floor.work.roundTrips, floor);
  compare("statements", service.work.statements, floor.work.statements, floor);
  compare("rows written", service.work.rowsWritten, floor.work.rowsWritten, floor);
  if (service.work.rowsWritten > 0) compare("event", service.event, floor.event, floor);
  // The service has its own error messages.
  if (isSuccess) compare("characters of JSON", service.text.length, floor.text.length, floor);
  const [own = 0] = service.work.logLines;
  const isLike = (length: number): boolean => Math.abs(length - own) <= own * LOG_TOLERANCE;
  if (peer.work.logLines.length !== 1 || !peer.work.logLines.every(isLike))
    compare("characters of log lines", service.work.logLines, peer.work.logLines, peer);
  if (differences.length > 0)
    throw new Error(`${title}: not the same work.\n${differences.map((line) => `  ${line}`).join("\n")}`);
}
