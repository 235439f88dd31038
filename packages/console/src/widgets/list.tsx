import type { ComponentChildren } from "preact";
import { Filter, useFilter } from "./field.tsx";
import { Empty, Loaded, Panel } from "./page.tsx";
import { type Column, Table } from "./table.tsx";

/** A filtered list of objects, as a table. */
export function List<T>(props: {
  title: string;
  query: { data: T[] | undefined; error: unknown; refetch: () => unknown };
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** What the filter looks at. */
  textsOf: (row: T) => string[];
  empty: ComponentChildren;
  class?: string;
}) {
  const matches = useFilter();
  return (
    <>
      <Filter label={`Filter ${props.title.toLowerCase()}`} />
      <Panel title={props.title}>
        <Loaded query={props.query}>
          {(all) => {
            if (all.length === 0) return <Empty>{props.empty}</Empty>;
            const rows = all.filter((row) => matches(...props.textsOf(row)));
            if (rows.length === 0) return <Empty>Nothing matches the filter.</Empty>;
            return (
              <Table
                label={props.title}
                rows={rows}
                columns={props.columns}
                keyOf={props.keyOf}
                class={`fixed stack ${props.class ?? ""}`}
              />
            );
          }}
        </Loaded>
      </Panel>
    </>
  );
}
