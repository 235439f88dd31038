/*
 * The agent's two clocks. The wall clock can be set back or forward at any time, so only instants that mean something outside of this
 * process come from it. Lint rejects `Date` in all other files.
 */

/** An instant of `elapsed()` before all others. */
export const NEVER = -Infinity;

/** Whole milliseconds since this process started, for intervals: nobody can set this clock. */
export const elapsed = (): number => Math.floor(performance.now());

/** Now, in milliseconds since 1970. */
export const wallClock = (): number => Date.now();

/** An instant as text, such as `2026-01-31T00:00:00.000Z`. */
export const textOfInstant = (instant: number): string => new Date(instant).toISOString();

/** The instant that a text names, in milliseconds since 1970; NaN if it names none. */
export const instantIn = (text: string): number => Date.parse(text);
