import type { Schemas } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { Empty, Panel } from "../widgets/page.tsx";
import { Addresses, Time } from "../widgets/text.tsx";

type Access = Schemas["PlanAccess"];

/** Who newly gets in or is shut out, for each entrance. */
export function Affected({ plan }: { plan: Plan }) {
  if (plan.access === null)
    return (
      <Panel title="Who is affected">
        <Empty>{plan.access_omitted ?? "This was not computed."}</Empty>
      </Panel>
    );
  return (
    <Panel title="Who is affected">
      {plan.access.length === 0 && <Empty>Every entrance lets in whom it lets in now.</Empty>}
      {plan.access.map((access) => (
        <Entrance key={access.object.id} access={access} />
      ))}
    </Panel>
  );
}

const SHOWN = 8;

function Entrance({ access }: { access: Access }) {
  const names = useNames();
  const { object, hostports, newly_allowed, newly_refused, count_allowed, count_refused, also } = access;
  const name = object.description ?? names(object.id).name;
  return (
    <div class="entrance">
      <p>
        <span class="b">
          <bdi>{name}</bdi>
        </span>{" "}
        <span class="mono t3">{hostports.join(", ")}</span>
      </p>
      <Networks sign="in" list={newly_allowed} counts={count_allowed} />
      <Networks sign="out" list={newly_refused} counts={count_refused} />
      {also.length > 0 && <p class="t3 sm">Also decided by: {also.join(", ").replaceAll("_", " ")}</p>}
    </div>
  );
}

function Networks({
  sign,
  list,
  counts,
}: {
  sign: "in" | "out";
  list: string[];
  counts: { ipv4: string; ipv6: string };
}) {
  if (list.length === 0) return null;
  const [v4, v6] = [BigInt(counts.ipv4), BigInt(counts.ipv6)];
  return (
    <>
      <p class={`effect ${sign}`}>
        <span class={`chip ${sign === "in" ? "good" : "bad"}`}>{sign}</span>{" "}
        {v4 > 0n && (
          <>
            <Addresses number={v4} /> IPv4
          </>
        )}
        {v4 > 0n && v6 > 0n && ", "}
        {v6 > 0n && (
          <>
            <Addresses number={v6} /> IPv6
          </>
        )}{" "}
        {sign === "in" ? "addresses newly get in" : "addresses are shut out"}
      </p>
      <ul class="mono networks">
        {list.slice(0, SHOWN).map((network) => (
          <li key={network}>{network}</li>
        ))}
        {list.length > SHOWN && <li class="t3">and {list.length - SHOWN} more</li>}
      </ul>
    </>
  );
}

/** What rules that end will change later. */
export function Later({ plan }: { plan: Plan }) {
  const names = useNames();
  if (plan.later.length === 0) return null;
  return (
    <Panel title="Later">
      {plan.later.map(({ at, object, newly_allowed, newly_refused }) => (
        <div class="row" key={`${at} ${object.id}`}>
          <span class="dot warn" />
          <div class="grow">
            <p class="b">
              <Time at={at} />
            </p>
            <p class="t2">
              <bdi>{object.description ?? names(object.id).name}</bdi>:{" "}
              {newly_refused.length > 0 && (
                <span class="mono">{newly_refused.join(", ")} no longer get in. </span>
              )}
              {newly_allowed.length > 0 && <span class="mono">{newly_allowed.join(", ")} get in.</span>}
            </p>
          </div>
        </div>
      ))}
    </Panel>
  );
}
