import type { ComponentChildren } from "preact";
import type { Schemas } from "../api/client.ts";
import { compact, outcomeOf, percent } from "../facts/traffic.ts";

/** A figure with its name, and what is beside it in small letters. */
function Stat({ name, value, note }: { name: string; value: string; note?: ComponentChildren }) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}

/** The traffic of a day in four figures. @param isHttp whether they are those of requests, even if there were none */
export function Stats({ totals, isHttp }: { totals: Schemas["Traffic"]["totals"]; isHttp: boolean }) {
  const { served, denied, failed } = outcomeOf(totals);
  const all = served + denied + failed;
  const time = (milliseconds: number | null): string =>
    milliseconds === null
      ? "–"
      : milliseconds < 1000
        ? `${Math.round(milliseconds)} ms`
        : `${(milliseconds / 1000).toFixed(1)} s`;
  return (
    <dl class="stats">
      <Stat name={isHttp ? "Requests" : "Connections"} value={compact(all)} />
      <Stat name={isHttp ? "Server errors" : "Failed"} value={percent(failed, all)} note={compact(failed)} />
      {isHttp ? (
        <Stat name="Latency, p95" value={time(totals.p95)} note={`p99: ${time(totals.p99)}`} />
      ) : (
        <Stat name="Bytes" value={compact(totals.bytes)} />
      )}
      <Stat name="Denied" value={compact(denied)} note={percent(denied, all)} />
    </dl>
  );
}
