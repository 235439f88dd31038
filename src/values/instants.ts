import * as z from "zod";
import { clock, timestamp } from "../clock.ts";

const YEAR_10000 = Date.UTC(10_000, 0);

/** A date, a time and an offset take 25 characters; the rest is for fractional seconds. */
const INSTANT_CHARACTERS = 40;
const NOT_AN_INSTANT = "Expected an RFC 3339 date and time, such as 2030-01-02T03:04:05Z.";

/** The text of an instant (RFC 3339 §5.6). */
const text = () =>
  z
    .string(NOT_AN_INSTANT)
    .max(INSTANT_CHARACTERS, { error: NOT_AN_INSTANT, abort: true })
    .check(z.iso.datetime({ offset: true, error: NOT_AN_INSTANT, abort: true }));

/** An instant (RFC 3339 §5.6); the output is in milliseconds since the Unix epoch. */
export const instant = () => text().transform((given) => Date.parse(given));

/** An instant at least one second in the future (RFC 3339 §5.6); the output is in UTC, truncated to whole seconds. */
export const future = () =>
  text()
    .refine((given) => Date.parse(given) > clock.now() + 1000, "Expected a time in the future.")
    .refine((given) => Date.parse(given) < YEAR_10000, "Expected a time before the year 10000 in UTC.")
    .transform((given) => timestamp(Date.parse(given)));
