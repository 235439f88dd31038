/** The service's one clock. Tests replace `now`; all code that needs the time uses it. */
export const clock = {
  /** Milliseconds since the Unix epoch. */
  now: (): number => Date.now(),
};

/** An instant (milliseconds since the Unix epoch) as RFC 3339 in UTC with whole seconds: `2026-01-02T03:04:05Z`. */
export const timestamp = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
