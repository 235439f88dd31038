/*
 * Tells the run that follows a response which types of events the isolate has recorded.
 */

const recorded = new Set<string>();

/** Notes the types of events that a write has recorded. */
export function noteRecorded(types: string[]): void {
  for (const type of types) recorded.add(type);
}

/** The types noted since this was last called. */
export function takeRecorded(): string[] {
  const types = [...recorded];
  recorded.clear();
  return types;
}
