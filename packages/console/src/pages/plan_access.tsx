import type { ComponentChildren } from "preact";
import type { Schemas } from "../api/client.ts";
import type { Plan } from "../api/queries.ts";
import { modules } from "../changes/modules.ts";
import { Chip, Panel, type Tone } from "../widgets/page.tsx";
import { Addresses, Time, utc } from "../widgets/text.tsx";
import { keyOf, Named, Places } from "./plan_places.tsx";
import { accessShares, laterShares, type Share, Shares } from "./plan_shares.tsx";

/*
 * The lists of an effect, as data: only the service words who gets in. A list without items has no panel.
 */

/** True if there is anything to show about the lists of an effect. */
export const hasLists = ({ access, later, problems, truncated }: Plan): boolean =>
  truncated ||
  access === null ||
  later === null ||
  access.length + later.length > 0 ||
  (problems !== null && problems.added.length + problems.removed.length > 0);

/** Where clients are affected, now and when rules expire, and which problems come and go. */
export function Lists({ plan }: { plan: Plan }) {
  const { access, later, problems } = plan;
  if (access === null)
    return (
      <Unknown title="Who is affected" why={plan.access_omitted}>
        What changes later and which problems appear are not known either.
      </Unknown>
    );
  return (
    <>
      <Panels title="Who is affected" plan={plan} items={access} shares={accessShares(plan, access)} />
      {later === null ? (
        <Unknown title="Later" why={plan.later_omitted} />
      ) : (
        <Panels title="Later" plan={plan} items={later} shares={laterShares(plan, later)} />
      )}
      {problems && <Problems problems={problems} plan={plan} />}
    </>
  );
}

/** A note that something was not computed, with the reason. */
function Unknown(props: { title: string; why: string | undefined; children?: ComponentChildren }) {
  return (
    <Panel title={props.title} aside={<Chip tone="warn">not known</Chip>}>
      <div class="pad">
        <p>{props.why ?? "The service does not say why."}</p>
        {props.children !== undefined && <p class="t2">{props.children}</p>}
      </div>
    </Panel>
  );
}

type Access = Schemas["PlanAccess"];
type Later = Schemas["PlanLater"];

function Panels(props: { title: string; plan: Plan; items: (Access | Later)[]; shares: Share[] }) {
  const { title, plan, items, shares } = props;
  if (items.length === 0 && shares.length === 0) return null;
  return (
    <Panel title={title}>
      {items.map((item) => (
        <article class="affected" key={keyOf(item)}>
          {"at" in item && (
            <p>
              <span class="b">
                <Time at={item.at} />
              </span>{" "}
              <span class="t3 sm">{utc(item.at)}</span>
            </p>
          )}
          <Places item={item} plan={plan} />
          <dl class="effects">
            {isToEveryone(item) && <Line sign="after">every source</Line>}
            {"also" in item && item.to_nobody && <Line sign="after">no source</Line>}
            <Networks
              item={item}
              tone="acc"
              sign="in"
              list={item.newly_allowed}
              counts={item.count_allowed}
            />
            <Networks
              item={item}
              tone="note"
              sign="out"
              list={item.newly_refused}
              counts={item.count_refused}
            />
            {"also" in item && (
              <>
                <Checks tone="bad" sign="ends" checks={item.no_longer} />
                <Checks tone="good" sign="begins" checks={item.newly} />
                <Checks tone="warn" sign="changes" checks={item.changed} />
                <Checks sign="remains" checks={item.also} />
              </>
            )}
          </dl>
        </article>
      ))}
      <Shares shares={shares} />
    </Panel>
  );
}

const isToEveryone = (item: Access | Later): boolean =>
  "also" in item && item.to_everyone && !item.from_everyone;

function Line({ sign, tone, children }: { sign: string; tone?: Tone; children: ComponentChildren }) {
  return (
    <div>
      <dt>
        <Chip {...(tone && { tone })}>{sign}</Chip>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function Checks({ sign, tone, checks }: { sign: string; tone?: Tone; checks: Access["also"] }) {
  if (checks.length === 0) return null;
  return (
    <Line sign={sign} {...(tone && { tone })}>
      {checks.map((check, i) => (
        <span key={check}>
          {i > 0 && ", "}
          {modules[check]} <code class="t3">{check}</code>
        </span>
      ))}
    </Line>
  );
}

/** The most networks that are listed, and if every source gets in, of which they are a remainder. */
const NETWORKS = { most: 8, ofEverything: 3 };

function Networks(props: {
  sign: string;
  tone: Tone;
  list: string[];
  counts: Access["count_allowed"];
  item: Access | Later;
}) {
  const { list, counts } = props;
  if (list.length === 0) return null;
  const numbers = [
    { family: "IPv4", number: BigInt(counts.ipv4) },
    { family: "IPv6", number: BigInt(counts.ipv6) },
  ].filter(({ number }) => number > 0n);
  const most = isToEveryone(props.item) ? NETWORKS.ofEverything : NETWORKS.most;
  const left = list.length - most;
  return (
    <Line sign={props.sign} tone={props.tone}>
      {numbers.map(({ family, number }, i) => (
        <span key={family}>
          {i > 0 && ", "}
          <Addresses number={number} /> {family}
        </span>
      ))}{" "}
      {list.length === 1 && numbers.every(({ number }) => number === 1n) ? "address" : "addresses"}
      <ul class="mono networks">
        {list.slice(0, most).map((network) => (
          <li key={network}>{network}</li>
        ))}
        {left > 0 && (
          <li class="t3">
            and {props.item.truncated && "at least "}
            {left} more
          </li>
        )}
      </ul>
    </Line>
  );
}

function Problems({ plan, problems }: { plan: Plan; problems: NonNullable<Plan["problems"]> }) {
  const { added, removed } = problems;
  const all = plan.totals?.problems_added ?? added.length;
  const shares = added.length < all ? [{ what: "Problems that appear", shown: added.length, all }] : [];
  if (added.length + removed.length + shares.length === 0) return null;
  const rows = [
    ...added.map((problem) => ({ sign: "appears", tone: "bad" as const, problem })),
    ...removed.map((problem) => ({ sign: "goes away", tone: "good" as const, problem })),
  ];
  return (
    <Panel title="Problems">
      {rows.map(({ sign, tone, problem: { object, code, msg } }) => (
        <article class="affected" key={`${sign} ${object} ${code} ${msg}`}>
          <p>
            <Chip tone={tone}>{sign}</Chip> <Named target={{ id: object }} plan={plan} />{" "}
            <code class="t3">{code}</code>
          </p>
          <p class="t2">{msg}</p>
        </article>
      ))}
      <Shares shares={shares} />
    </Panel>
  );
}
