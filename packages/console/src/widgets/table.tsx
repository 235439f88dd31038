import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/*
 * A table whose rows share columns. Long ones only have the rows in view in the document.
 */

/** A column of a table. */
export interface Column<T> {
  name: string;
  /** Its width, as a track of a CSS grid. */
  width: string;
  /** The name is only for screen readers. */
  isHidden?: boolean;
  /**
   * The class of its cells. `wide` cells are left out if there is little space. If there is even less, as on a phone, a row has two
   * lines: `name` and `st`, then `line2` and `fig`. `cut` shortens a text, and `end` aligns it on the right.
   */
  class?: string;
  cell: (row: T) => ComponentChildren;
}

/** A row, a row that belongs to the one before, or a heading. */
export type Line<T> = { row: T; isSub?: boolean } | { group: string; number: number };

/** From this number of rows, those out of view are left out. */
const MANY = 100;
/** Pixels above and below the view that are kept. */
const MARGIN = 800;

/** Rows under column headings, in groups. */
export function Table<T>(props: {
  label: string;
  columns: Column<T>[];
  rows?: T[];
  /** In place of rows: rows in groups, with those that belong to them. */
  lines?: Line<T>[];
  keyOf: (row: T) => string;
  rowClass?: (row: T) => string;
}) {
  const { columns, rows } = props;
  const lines = useMemo(
    (): Line<T>[] => props.lines ?? (rows ?? []).map((row) => ({ row })),
    [props.lines, rows],
  );
  const isLong = lines.length > MANY;
  const list = useRef<HTMLDivElement>(null);
  const { from, to, before, after } = useView(list, lines, isLong);
  const tracks = (of: Column<T>[]): string => of.map(({ width }) => width).join(" ");
  const narrow = columns.filter(({ class: of = "" }) => !/\bwide\b/.test(of));
  return (
    <div class="list-box">
      <div
        ref={list}
        class={isLong ? "list long" : "list"}
        role="table"
        aria-label={props.label}
        aria-rowcount={lines.length + 1}
        style={{ "--cols": tracks(columns), "--cols-narrow": tracks(narrow) }}
      >
        <div class="r h" role="row" aria-rowindex={1}>
          {columns.map(({ name, isHidden, class: of = "" }) => (
            <div key={name} role="columnheader" class={placeOf(of)}>
              {isHidden ? <span class="hidden">{name}</span> : name}
            </div>
          ))}
        </div>
        {before > 0 && <div style={{ height: `${before}px` }} />}
        {lines.slice(from, to).map((line, index) => {
          if ("group" in line)
            return (
              <div class="r group" role="row" key={`group ${line.group}`} aria-rowindex={from + index + 2}>
                <div role="cell">
                  {line.group} {line.number.toLocaleString("en")}
                </div>
              </div>
            );
          const { row, isSub } = line;
          return (
            <div
              key={props.keyOf(row)}
              role="row"
              aria-rowindex={from + index + 2}
              class={`r ${isSub ? "sub" : ""} ${props.rowClass?.(row) ?? ""}`}
            >
              {columns.map(({ name, cell, class: of = "" }) => (
                <div key={name} role="cell" class={of}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
        {after > 0 && <div style={{ height: `${after}px` }} />}
      </div>
    </div>
  );
}

/** Of the classes of cells, those that say where they are: headings look alike. */
const placeOf = (of: string): string =>
  of
    .split(" ")
    .filter((one) => !/^(?:t2|t3|b|num|name)$/.test(one))
    .join(" ");

/** Which lines are in view, and the heights of those before and after. */
function useView<T>(
  list: { current: HTMLDivElement | null },
  lines: Line<T>[],
  isLong: boolean,
): { from: number; to: number; before: number; after: number } {
  const [view, setView] = useState({ top: 0, bottom: 2 * MARGIN, heights: { row: 40, sub: 34, group: 32 } });
  useEffect(() => {
    if (!isLong) return undefined;
    const look = (): void => {
      const own = list.current;
      if (!own) return;
      const style = getComputedStyle(own);
      const height = (name: string): number => Number.parseFloat(style.getPropertyValue(name));
      const start = own.getBoundingClientRect().top;
      // Rounded, so that scrolling by a few pixels renders nothing.
      const round = (pixels: number): number => Math.round(pixels / 200) * 200;
      const next = {
        top: round(-start - MARGIN),
        bottom: round(innerHeight - start + MARGIN),
        heights: { row: height("--row"), sub: height("--row-sub"), group: height("--row-group") },
      };
      setView((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [isLong]);
  const { row, sub, group } = view.heights;
  /** The place of each line below the heading; one more for the end. */
  const places = useMemo(() => {
    const all = [0];
    let at = 0;
    for (const line of lines) {
      at += "group" in line ? group : line.isSub ? sub : row;
      all.push(at);
    }
    return all;
  }, [lines, row, sub, group]);
  const height = places.at(-1) ?? 0;
  if (!isLong) return { from: 0, to: lines.length, before: 0, after: 0 };
  const from = Math.max(0, firstAfter(places, view.top) - 1);
  const to = Math.min(lines.length, firstAfter(places, view.bottom));
  return { from, to, before: places[from] ?? 0, after: height - (places[to] ?? height) };
}

/** The index of the first number in an ascending list that is greater. */
function firstAfter(places: number[], value: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
