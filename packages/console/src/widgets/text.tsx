import { useEffect, useState } from "preact/hooks";
import { useNames } from "../api/names.ts";
import { now } from "../facts/amounts.ts";

/*
 * Small pieces of text: names, times, numbers.
 */

/** The name of an object, linked to its page if there is one. Text from users keeps its own direction. */
export function Ref({ id }: { id: string }) {
  const { name, href } = useNames()(id);
  return href === undefined ? (
    <bdi>{name}</bdi>
  ) : (
    <a class="link" href={href}>
      <bdi>{name}</bdi>
    </a>
  );
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});

/** A time to the second: "25 Nov 2026, 13:15:11 UTC". A text that is not a time stays as it is. */
export const utc = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? at : `${absolute.format(new Date(at))} UTC`;

/** A time relative to now: "3 minutes ago". */
function ago(time: string, from = now()): string {
  const seconds = Math.round((Date.parse(time) - from) / 1000);
  // A future time is rounded, so 30 days less a few seconds are "30 days", and a day less a few minutes is "tomorrow".
  const isAhead = seconds > 0;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size * (isAhead ? 0.98 : 1)) ?? [
    "second",
    1,
  ];
  return relative.format(isAhead ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
}

/** A time: relative, and exact in UTC when pointed at. */
export function Time({ at }: { at: string }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={utc(at)}>
      {ago(at)}
    </time>
  );
}

/** A count of addresses: "16,777,216", and powers of two for large networks of IPv6. */
export function Addresses({ number }: { number: bigint }) {
  const bits = number.toString(2);
  if (number >= 2n ** 40n)
    return (
      <span class="num">
        {bits.slice(1).includes("1") && "≈ "}2<sup>{bits.length - (bits[1] === "1" ? 0 : 1)}</sup>
      </span>
    );
  return <span class="num">{number.toLocaleString("en")}</span>;
}

/** A number of a column. On a phone, which has no headings, it says what it counts. */
export const Labelled = ({ number, label }: { number: number; label: string }) => (
  <>
    {number.toLocaleString("en")}
    <span class="only-phone">&nbsp;{label}</span>
  </>
);
