import { useMemo } from "preact/hooks";
import { contains, type NetworkRange, networkOf, sizeOf, type RuleInput } from "../base/networks.ts";
import { place } from "../base/routes.ts";
import { type RuleChange, ruleKey } from "../changes/diff.ts";
import { Empty } from "../widgets/page.tsx";
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

/** The rules that match the filter: a text, or an address inside. */
export function RuleTable(props: {
  rows: RuleRow[];
  kind: string;
  toggle: ((row: RuleRow) => void) | undefined;
}) {
  const text = (place.value.query.get("filter") ?? "").trim().toLowerCase();
  const shown = useMemo(() => filtered(props.rows, text, props.kind), [props.rows, text, props.kind]);
  const allowed = useMemo(() => props.rows.filter(({ state }) => state !== "removed"), [props.rows]);
  if (shown.length === 0)
    return (
      <Empty>
        {props.rows.length === 0
          ? "This policy has no rules, so it lets nobody in."
          : "No rule matches the filter."}
      </Empty>
    );
  const columns = columnsFor(allowed, props.toggle);
  return (
    <Table
      label="Rules"
      class="fixed rules"
      columns={columns}
      rows={shown}
      keyOf={({ rule }) => ruleKey(rule)}
      rowClass={({ state }) => state}
    />
  );
}

function columnsFor(others: RuleRow[], toggle: ((row: RuleRow) => void) | undefined): Column<RuleRow>[] {
  const columns: Column<RuleRow>[] = [
    {
      name: "Change",
      isHidden: true,
      class: "sg",
      cell: ({ state }) =>
        state !== "same" && (
          <>
            <span aria-hidden="true">{signs[state]}</span>
            <span class="hidden">{state}</span>
          </>
        ),
    },
    { name: "Network", class: "mono cut net", cell: ({ rule }) => rule.cidr },
    { name: "Action", class: "act", cell: ({ rule }) => <span class={rule.action}>{rule.action}</span> },
    {
      name: "Description",
      class: "cut",
      cell: (row) => (
        <>
          <bdi title={row.rule.description}>{row.rule.description}</bdi>
          {others.length <= 300 && <Redundant row={row} rows={others} />}
        </>
      ),
    },
    {
      name: "Ends",
      class: "t3 ends wide",
      cell: ({ rule }) => rule.expires_at !== undefined && <Time at={rule.expires_at} />,
    },
    {
      name: "Addresses",
      class: "t3 end addresses wide",
      cell: ({ network }) => network && <Addresses number={sizeOf(network)} />,
    },
  ];
  if (toggle)
    columns.push({
      name: "Remove",
      isHidden: true,
      class: "end do",
      cell: (row) => (
        <button
          type="button"
          class="btn q sm"
          onClick={() => toggle(row)}
          aria-label={`${row.state === "same" ? "Remove" : "Restore"} ${row.rule.cidr}`}
        >
          {row.state === "same" ? "Remove" : "Restore"}
        </button>
      ),
    });
  return columns;
}

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
  return other ? <span class="chip o redundant">within {other.rule.cidr}</span> : null;
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
