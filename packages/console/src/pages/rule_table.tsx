import { useMemo } from "preact/hooks";
import { contains, type NetworkRange, networkOf, sizeOf, type RuleInput } from "../base/networks.ts";
import { place } from "../base/routes.ts";
import { type RuleChange, ruleKey } from "../changes/diff.ts";
import { Icon } from "../widgets/icons.tsx";
import { None } from "../widgets/page.tsx";
import { type Column, Table } from "../widgets/table.tsx";
import { Addresses, Time } from "../widgets/text.tsx";

/** A rule, and what the pending changes do to it. */
export interface RuleRow {
  rule: RuleInput;
  network: NetworkRange | undefined;
  state: "same" | "added" | "removed" | "changed";
}

/** The networks of rules that were shown before: reading 10,000 of them takes a while. */
const networks = new Map<string, NetworkRange | undefined>();

function cachedNetwork(cidr: string): NetworkRange | undefined {
  if (!networks.has(cidr)) networks.set(cidr, networkOf(cidr));
  return networks.get(cidr);
}

/** The rules with the pending changes: added and changed ones first, then all in the order of the service. */
export function rowsOf(base: RuleInput[], current: RuleInput[], changes: Map<string, RuleChange>): RuleRow[] {
  const row = (rule: RuleInput, state: RuleRow["state"]): RuleRow => ({
    rule,
    state,
    network: cachedNetwork(rule.cidr),
  });
  const added = current.filter((rule) => changes.has(ruleKey(rule)) && !changes.get(ruleKey(rule))?.before);
  return [
    ...added.map((rule) => row(rule, "added")),
    ...base.map((rule) => {
      const change = changes.get(ruleKey(rule));
      if (!change) return row(rule, "same");
      return change.after ? row(change.after, "changed") : row(rule, "removed");
    }),
  ];
}

const signs = { same: "", added: "+", removed: "−", changed: "±" } as const;

/** The actions on a rule. */
interface RuleActions {
  edit: (rule: RuleInput) => void;
  toggle: (row: RuleRow) => void;
}

/** The rules that match the filter: by text, or by an address that they contain. @param actions undefined for viewers */
export function RuleTable(props: { rows: RuleRow[]; kind: string; actions: RuleActions | undefined }) {
  const text = (place.value.query.get("filter") ?? "").trim().toLowerCase();
  const shown = useMemo(() => filtered(props.rows, text, props.kind), [props.rows, text, props.kind]);
  const allowed = useMemo(() => props.rows.filter(({ state }) => state !== "removed"), [props.rows]);
  if (shown.length === 0)
    return (
      <None>
        {props.rows.length === 0
          ? "This policy has no rules, so it lets nobody in."
          : "No rule matches the filter."}
      </None>
    );
  return (
    <Table
      label="Rules"
      columns={columnsFor(allowed, props.rows.some(hasEnd), props.actions)}
      rows={shown}
      keyOf={({ rule }) => ruleKey(rule)}
      rowClass={({ state }) => (state === "same" ? "" : `rule-${state}`)}
    />
  );
}

const hasEnd = ({ rule }: RuleRow): boolean => rule.expires_at !== undefined;

/** @param hasEnds whether a rule of the policy ends */
function columnsFor(
  others: RuleRow[],
  hasEnds: boolean,
  actions: RuleActions | undefined,
): Column<RuleRow>[] {
  const columns: Column<RuleRow>[] = [
    {
      name: "Network",
      width: "minmax(150px, 1fr)",
      class: "name cut network",
      cell: ({ rule, state }) => (
        <>
          {state !== "same" && (
            <>
              <span class="sign" aria-hidden="true">
                {signs[state]}
              </span>
              <span class="hidden">{state} </span>
            </>
          )}
          <code class="b" title={rule.cidr}>
            {rule.cidr}
          </code>
        </>
      ),
    },
    {
      name: "Action",
      width: "76px",
      class: "st",
      cell: ({ rule }) => (
        <span class="line">
          <Icon name={rule.action} />
          {rule.action}
        </span>
      ),
    },
    {
      name: "Description",
      width: "minmax(0, 1.6fr)",
      class: "cut line2 t2",
      cell: (row) => (
        <>
          <bdi title={row.rule.description}>{row.rule.description}</bdi>
          {others.length <= 300 && <Redundant row={row} rows={others} />}
        </>
      ),
    },
  ];
  if (hasEnds)
    columns.push({
      name: "Ends",
      width: "110px",
      class: "t3 wide cut",
      cell: ({ rule }) => rule.expires_at !== undefined && <Time at={rule.expires_at} />,
    });
  columns.push({
    name: "Addresses",
    width: "94px",
    class: "t3 end wide num",
    cell: ({ network }) => network && <Addresses number={sizeOf(network)} />,
  });
  if (actions)
    columns.push({
      name: "Edit or remove",
      width: "132px",
      isHidden: true,
      class: "end fig do",
      cell: (row) => <RuleButtons row={row} actions={actions} />,
    });
  return columns;
}

function RuleButtons({ row, actions }: { row: RuleRow; actions: RuleActions }) {
  const { rule, state } = row;
  return (
    <>
      {state !== "removed" && (
        <button
          type="button"
          class="btn q s"
          onClick={() => actions.edit(rule)}
          aria-label={`Edit ${rule.cidr}`}
        >
          Edit
        </button>
      )}
      <button
        type="button"
        class="btn q s"
        onClick={() => actions.toggle(row)}
        aria-label={`${verbs[state]} ${rule.cidr}`}
      >
        {verbs[state]}
      </button>
    </>
  );
}

/** The label of a rule's last button: new rules can be taken back, removed rules kept. */
const verbs = { same: "Remove", added: "Take back", removed: "Keep", changed: "Take back" } as const;

/** Marks a rule that another one of the same action contains. */
function Redundant({ row, rows }: { row: RuleRow; rows: RuleRow[] }) {
  const { network } = row;
  if (!network || row.state === "removed") return null;
  const other = rows.find(
    (one) =>
      one.network !== undefined &&
      one.rule.action === row.rule.action &&
      one.rule.cidr !== row.rule.cidr &&
      one.rule.expires_at === undefined &&
      contains(one.network, network),
  );
  return other ? <span class="chip redundant">within {other.rule.cidr}</span> : null;
}

function filtered(rows: RuleRow[], text: string, kind: string): RuleRow[] {
  const wanted = networkOf(text);
  return rows.filter(({ rule, network, state }) => {
    const isOfKind =
      kind === "all" ||
      kind === rule.action ||
      (kind === "ending" && rule.expires_at !== undefined) ||
      kind === `IPv${network?.family}`;
    if (!isOfKind && state === "same") return false;
    if (text === "" || rule.cidr.includes(text) || rule.description?.toLowerCase().includes(text))
      return isOfKind;
    return isOfKind && wanted !== undefined && network !== undefined && contains(network, wanted);
  });
}
