import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

/*
 * A table. Long ones only have the rows in view in the document.
 */

/** A column of a table. */
export interface Column<T> {
  name: string;
  /** Shown in place of the name, for a column without a visible heading. */
  isHidden?: boolean;
  cell: (row: T) => ComponentChildren;
  class?: string;
}

const ROW_HEIGHT = 33;
/** From this number of rows, the table scrolls on its own. */
const MANY = 100;
const WINDOW = 40;

/** Rows under column headings. */
export function Table<T>(props: {
  label: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => string;
  rowClass?: (row: T) => string;
  class?: string;
}) {
  const { columns, rows } = props;
  const isLong = rows.length > MANY;
  const [first, setFirst] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const start = isLong ? Math.max(0, Math.min(first, rows.length - WINDOW)) : 0;
  const shown = isLong ? rows.slice(start, start + WINDOW) : rows;
  const onScroll = (): void => {
    const top = scroller.current?.scrollTop ?? 0;
    setFirst(Math.max(0, Math.floor(top / ROW_HEIGHT / 8) * 8 - 8));
  };
  const table = (
    <table class={props.class ?? ""} aria-label={props.label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ name, isHidden, class: of }) => (
            <th key={name} scope="col" class={of ?? ""}>
              {isHidden ? <span class="hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {start > 0 && <Spacer rows={start} columns={columns.length} />}
        {shown.map((row, index) => (
          <tr key={props.keyOf(row)} aria-rowindex={start + index + 2} class={props.rowClass?.(row) ?? ""}>
            {columns.map(({ name, isHidden, cell, class: of }) => (
              <td key={name} class={of ?? ""} data-name={isHidden ? undefined : name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
        {start + shown.length < rows.length && (
          <Spacer rows={rows.length - start - shown.length} columns={columns.length} />
        )}
      </tbody>
    </table>
  );
  if (!isLong) return <div class="scroll-x">{table}</div>;
  return (
    <div
      class="scroll long"
      ref={scroller}
      onScroll={onScroll}
      role="region"
      aria-label={props.label}
      tabIndex={0}
    >
      {table}
    </div>
  );
}

/** The height of rows that are not in the document. */
const Spacer = ({ rows, columns }: { rows: number; columns: number }) => (
  <tr aria-hidden="true">
    <td class="spacer" colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
  </tr>
);
