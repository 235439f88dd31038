import type { ComponentChildren } from "preact";
import { Filter, useFilter } from "./field.tsx";
import { Loaded, None, type Queried } from "./page.tsx";
import { type Column, Table } from "./table.tsx";

/** A filtered list of objects, as a table. */
export function List<T>(props: {
  /** What is listed, such as "IP policies". */
  title: string;
  query: Queried<T[]>;
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** What the filter looks at. */
  textsOf: (row: T) => string[];
  /** What the filter can be, in words. */
  filter: string;
  /** Beside the filter. */
  parts?: ComponentChildren;
  /** In place of the list if there is nothing yet. */
  empty: ComponentChildren;
  footer?: ComponentChildren;
}) {
  const matches = useFilter();
  return (
    <Loaded query={props.query}>
      {(all) => {
        if (all.length === 0) return props.empty;
        const rows = all.filter((row) => matches(...props.textsOf(row)));
        return (
          <>
            <div class="bar">
              <Filter label={props.filter} />
              {props.parts}
            </div>
            <section class="panel">
              {rows.length === 0 ? (
                <None>Nothing matches the filter.</None>
              ) : (
                <Table label={props.title} rows={rows} columns={props.columns} keyOf={props.keyOf} />
              )}
              {props.footer !== undefined && <footer>{props.footer}</footer>}
            </section>
          </>
        );
      }}
    </Loaded>
  );
}
