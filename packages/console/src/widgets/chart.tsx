import { now } from "../facts/amounts.ts";
import type { ChartedInterval } from "../facts/traffic.ts";

/*
 * Charts of traffic. Everything that a chart shows is in words or in a table next to it.
 */

const BAR = 20;
/** The heights of what is above the axis, and of what is below. */
const [ABOVE, BELOW] = [58, 24];

/** Where denied traffic is hatched, so that its colour is not all that tells it apart. */
const Hatching = () => (
  <defs>
    <pattern id="denied" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatch-ground" width="5" height="5" />
      <path class="hatch" d="M0 0v5" />
    </pattern>
  </defs>
);

/** What the colours of a chart mean. */
export const Legend = () => (
  <span class="legend">
    {["served", "denied", "failed"].map((kind) => (
      <span key={kind}>
        <svg class="chart sign" viewBox="0 0 10 10" aria-hidden="true">
          <Hatching />
          <rect class={kind} width="10" height="10" rx="1.5" />
        </svg>
        {kind === "failed" ? "server errors" : kind}
      </span>
    ))}
  </span>
);

const DAY = 86_400_000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Bars of how traffic ended: what was served and denied above the axis, what failed below. Gaps are where nothing is known. */
export function OutcomeChart({
  label,
  outcomes,
}: {
  label: string;
  outcomes: (ChartedInterval | undefined)[];
}) {
  const known = outcomes.flatMap((one) => one ?? []);
  const most = Math.max(1, ...known.map(({ served, denied, failed }) => Math.max(served + denied, failed)));
  // Small amounts stay visible. A bar below the axis that is too long for its place ends there.
  const heightOf = (number: number, room: number): number =>
    number === 0 ? 0 : Math.min(room, Math.max(1.5, (number / most) * ABOVE));
  const width = outcomes.length * BAR;
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${ABOVE + BELOW + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <Hatching />
        {outcomes.map((one, index) => {
          const bar = { x: index * BAR + 4, width: BAR - 8 };
          if (!one) return <rect key={index} class="unknown" {...bar} y={ABOVE - 3} height={3} />;
          const served = heightOf(one.served, ABOVE);
          const denied = heightOf(one.denied, ABOVE - served);
          return (
            <g key={index}>
              <rect class="served" {...bar} y={ABOVE - served} height={served} />
              <rect class="denied" {...bar} y={ABOVE - served - denied} height={denied} />
              <rect class="failed" {...bar} y={ABOVE + 2} height={heightOf(one.failed, BELOW)} />
            </g>
          );
        })}
        <path class="axis" d={`M0 ${ABOVE + 1}h${width}`} />
      </svg>
      <p class="ax" aria-hidden="true">
        {[1, 0.75, 0.5, 0.25].map((days, index) => (
          <span key={days} class={index % 2 === 1 ? "wide" : ""}>
            {index === 0 && "yesterday "}
            {clock.format(now() - days * DAY)}
          </span>
        ))}
        <span>now</span>
      </p>
    </>
  );
}

/** The same as a table, newest first. */
export function OutcomeTable({
  title,
  outcomes,
}: {
  title: string;
  outcomes: (ChartedInterval | undefined)[];
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title}>
      <table class="outcomes">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Served</th>
            <th scope="col">Denied</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.toReversed().flatMap((one) =>
            one
              ? [
                  <tr key={one.at}>
                    <th scope="row">{clock.format(one.at)}</th>
                    <td>{one.served.toLocaleString("en")}</td>
                    <td>{one.denied.toLocaleString("en")}</td>
                    <td>{one.failed.toLocaleString("en")}</td>
                  </tr>,
                ]
              : [],
          )}
        </tbody>
      </table>
    </div>
  );
}

const [SPARK_WIDTH, SPARK_HEIGHT] = [88, 18];

/** A line of amounts, oldest first, with gaps where nothing is known. What it means has to be beside it in words. */
export function Sparkline({ amounts }: { amounts: readonly (number | null)[] }) {
  const most = Math.max(1, ...amounts.map((amount) => amount ?? 0));
  const step = SPARK_WIDTH / Math.max(1, amounts.length - 1);
  let isOpen = false;
  const line = amounts
    .map((amount, index) => {
      if (amount === null) {
        isOpen = false;
        return "";
      }
      const command = isOpen ? "L" : "M";
      isOpen = true;
      const y = SPARK_HEIGHT - (amount / most) * (SPARK_HEIGHT - 2);
      const x = index * step;
      // A point that stands alone would have no length.
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}${command === "M" ? "h.1" : ""}`;
    })
    .join("");
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT + 2}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="line-of" d={line} />
    </svg>
  );
}
