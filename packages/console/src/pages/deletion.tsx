import type { ComponentChildren } from "preact";
import { deletionOf, pending } from "../changes/pending.ts";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";

/*
 * Marks of objects that will be deleted.
 */

/** Marks the object at a path if its deletion is pending. @param props.children its state otherwise */
export const Deletion = ({ path, children }: { path: string; children?: ComponentChildren }) =>
  deletionOf(path) ? (
    <State tone="warn" sign="triangle">
      Will be deleted
    </State>
  ) : (
    <>{children}</>
  );

/** A column that marks the deleted objects of a collection, such as `/backends`. There is none without a pending deletion. */
export const deletionColumn = <T,>(collection: string, pathOf: (row: T) => string): Column<T>[] =>
  Object.values(pending.value).some(
    ({ type, path }) => type === "delete" && path.startsWith(`${collection}/`),
  )
    ? [{ name: "State", width: "132px", class: "st", cell: (row) => <Deletion path={pathOf(row)} /> }]
    : [];
