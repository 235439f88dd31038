import type { ComponentChildren } from "preact";
import type { Schemas } from "../api/client.ts";
import type { Plan } from "../api/queries.ts";
import { modules } from "../changes/modules.ts";
import { count } from "../facts/amounts.ts";
import type { IconName } from "../widgets/icon_paths.ts";
import { Icon } from "../widgets/icons.tsx";
import { Chip, Panel } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { Addresses, Time, utc } from "../widgets/text.tsx";
import { keyOf, Named, Places } from "./plan_places.tsx";
import { accessShares, isOfPolicy, laterShares, type Share, Shares } from "./plan_shares.tsx";

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
      <Unknown title={TITLE} why={plan.access_omitted}>
        What changes later and which problems appear are not known either.
      </Unknown>
    );
  return (
    <>
      <Panels title={TITLE} plan={plan} items={access} shares={accessShares(plan, access)} />
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
      <div class="pad stack">
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
    <Panel title={title} {...(plan.totals && title === TITLE && placesIn(items, shares.length > 0))}>
      {items.map((item) => (
        <article class="place" key={keyOf(item)}>
          {"at" in item && (
            <p class="when">
              <b>
                <Time at={item.at} />
              </b>{" "}
              <span class="meta">{utc(item.at)}</span>
            </p>
          )}
          <Places item={item} plan={plan} />
          <dl class="effects">
            <Networks
              item={item}
              icon="in"
              label={"at" in item ? "In from then on" : "Newly allowed"}
              list={item.newly_allowed}
              counts={item.count_allowed}
            />
            {"also" in item && item.to_nobody && (
              <Line icon="deny" tone="danger" label="Afterwards">
                <b>Nobody</b> gets in
              </Line>
            )}
            <Networks
              item={item}
              icon="deny"
              label={"at" in item ? "Out from then on" : "Newly refused"}
              list={item.newly_refused}
              counts={item.count_refused}
            />
            {"also" in item && (
              <>
                <Checks tone="alarm" icon="unchecked" label="No longer checked" checks={item.no_longer} />
                <Checks icon="policies" label="Newly checked" checks={item.newly} />
                <Checks tone="danger" icon="swap" label="Checked in another way" checks={item.changed} />
                <Checks icon="policies" label="Checked as before" checks={item.also} />
              </>
            )}
          </dl>
        </article>
      ))}
      <Shares shares={shares} />
    </Panel>
  );
}

const TITLE = "Who is affected";

/** The number of places among the items, in words. Policies are not places, so a list of policies has no number. */
function placesIn(items: (Access | Later)[], isCut: boolean): { aside?: string } {
  const number = items
    .filter((item) => !isOfPolicy(item))
    .reduce((sum, { places, places_more: more }) => sum + places.length + more, 0);
  return number === 0 ? {} : { aside: `${isCut ? "at least " : ""}${count(number, "place")}` };
}

const isToEveryone = (item: Access | Later): boolean =>
  "also" in item && item.to_everyone && !item.from_everyone;

/** An effect: its label, and what it is. `alarm` is for everybody and for lost checks, `danger` for what deserves a look. */
function Line(props: {
  label: string;
  icon: IconName;
  tone?: "alarm" | "danger" | undefined;
  children: ComponentChildren;
}) {
  return (
    <div class={props.tone ?? ""}>
      <dt>
        <Icon name={props.icon} />
        {props.label}
      </dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Checks(props: { label: string; icon: IconName; tone?: "alarm" | "danger"; checks: Access["also"] }) {
  const { checks, ...line } = props;
  if (checks.length === 0) return null;
  return <Line {...line}>{checks.map((check) => modules[check] ?? check).join(", ")}</Line>;
}

/** The most networks that are listed. */
const MOST = 5;

function Networks(props: {
  label: string;
  icon: IconName;
  list: string[];
  counts: Access["count_allowed"];
  item: Access | Later;
}) {
  const { list, counts, label, icon, item } = props;
  const isEverybody = icon === "in" && isToEveryone(item);
  if (list.length === 0 && !isEverybody) return null;
  const numbers = [
    { family: "IPv4", number: BigInt(counts.ipv4) },
    { family: "IPv6", number: BigInt(counts.ipv6) },
  ].filter(({ number }) => number > 0n);
  const amounts = (
    <>
      {numbers.map(({ family, number }, i) => (
        <span key={family}>
          {i > 0 && ", "}
          <Addresses number={number} /> {family}
        </span>
      ))}{" "}
      {list.length === 1 && numbers.every(({ number }) => number === 1n) ? "address" : "addresses"}
    </>
  );
  if (isEverybody)
    return (
      <Line icon={icon} label={label} tone="alarm">
        <b>Everybody</b> {numbers.length > 0 && <span class="meta">{amounts}</span>}
      </Line>
    );
  const left = list.length - MOST;
  return (
    <Line icon={icon} label={label}>
      {amounts}
      <ul class="networks mono">
        {list.slice(0, MOST).map((network) => (
          <li key={network}>{network}</li>
        ))}
        {left > 0 && (
          <li class="t3">
            and {item.truncated && "at least "}
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
    ...added.map((problem) => ({ isNew: true, problem })),
    ...removed.map((problem) => ({ isNew: false, problem })),
  ];
  return (
    <Panel title="Problems">
      {rows.map(({ isNew, problem: { object, code, msg } }) => (
        <article class="row" key={`${isNew} ${object} ${code} ${msg}`}>
          <State tone={isNew ? "bad" : "good"}>{isNew ? "Appears" : "Goes away"}</State>
          <div class="grow wrap">
            <Named target={{ id: object }} plan={plan} />
            <div class="t2">{msg}</div>
          </div>
        </article>
      ))}
      <Shares shares={shares} />
    </Panel>
  );
}
