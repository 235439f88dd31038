import * as z from "zod";
import { clock, timestamp } from "../clock.ts";

const YEAR_10000 = Date.UTC(10_000, 0);

/** A date, a time and an offset have 25 characters; the rest is for fractional seconds. */
const INSTANT_CHARACTERS = 40;
const NOT_AN_INSTANT = "Expected an RFC 3339 date and time, such as 2030-01-02T03:04:05Z.";

/** The error for an instant that has passed. */
export const NOT_IN_THE_FUTURE = "Expected a time in the future.";

/** An instant (RFC 3339 §5.6); the output is the unchanged string. */
const sent = () =>
  z
    .string(NOT_AN_INSTANT)
    .max(INSTANT_CHARACTERS, { error: NOT_AN_INSTANT, abort: true })
    .check(z.iso.datetime({ offset: true, error: NOT_AN_INSTANT, abort: true }));

/** Expects a valid instant. */
const isBeforeYear10000 = (text: string): boolean => Date.parse(text) < YEAR_10000;
const TOO_LATE = "Expected a time before the year 10000 in UTC.";

const stored = (text: string): string => timestamp(Date.parse(text));

/** An instant (RFC 3339 §5.6); the output is in milliseconds since the Unix epoch. */
export const instant = () => sent().transform((text) => Date.parse(text));

/** An instant (RFC 3339 §5.6); the output is in UTC, truncated to whole seconds. */
export const storedInstant = () => sent().refine(isBeforeYear10000, TOO_LATE).transform(stored);

/** An instant at least one second in the future (RFC 3339 §5.6); the output is in UTC, truncated to whole seconds. */
export const future = () =>
  sent()
    .refine((text) => Date.parse(text) > clock.now() + 1000, NOT_IN_THE_FUTURE)
    .refine(isBeforeYear10000, TOO_LATE)
    .transform(stored);

/**
 * Any instant in UTC, truncated to whole seconds; for "", which clears it, the output is null. {@link isAhead} checks whether the
 * instant is in the future.
 */
export const clearableInstant = () => {
  const given = sent().refine(isBeforeYear10000, TOO_LATE);
  return z
    .string(NOT_AN_INSTANT)
    .transform((text, context) => {
      if (text === "") return null;
      const { error } = given.safeParse(text);
      for (const { message } of error?.issues ?? []) context.addIssue({ code: "custom", message });
      return error ? z.NEVER : stored(text);
    })
    .meta({ maxLength: INSTANT_CHARACTERS });
};

/** True for an instant in the future. */
export const isAhead = (text: string): boolean => Date.parse(text) > clock.now();
