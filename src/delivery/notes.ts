/*
 * Notes from requests for the delivery run that follows their responses.
 */

const recorded = new Set<string>();
let isResumed = false;

/** Notes the types of events that a write has recorded. */
export function noteRecorded(types: string[]): void {
  for (const type of types) recorded.add(type);
}

/** Notes that a destination may be due, regardless of the recorded events. */
export function noteResumed(): void {
  isResumed = true;
}

/** True if there is something to look at. */
export const isAwaited = (): boolean => isResumed || recorded.size > 0;

/** The notes of requests. */
export interface Notes {
  types: string[];
  isResumed: boolean;
}

/** The notes since the last call. */
export function takeNotes(): Notes {
  const notes = { types: [...recorded], isResumed };
  recorded.clear();
  isResumed = false;
  return notes;
}
