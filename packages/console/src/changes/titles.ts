import { useNames } from "../api/names.ts";
import { titleOfNew } from "./pending.ts";

/** Finds what an object is called by its id; of a new object that is not applied yet, by its reference in changes, such as `$n1`. */
export function useTitles(): (id: string) => string {
  const names = useNames();
  return (id) => titleOfNew(id) ?? names(id).name;
}
