import { modules, steps } from "../changes/modules.ts";
import type { MenuItem } from "../widgets/menu.tsx";

/**
 * The items of a menu of modules, in groups.
 *
 * @param isShown whether a module can be chosen
 * @param now what a module does now, in words; empty if it is not set
 */
export const stepItems = (
  isShown: (name: string) => boolean,
  now: (name: string) => string,
  choose: (name: string) => void,
): MenuItem[] =>
  steps.flatMap(({ heading, modules: all }): MenuItem[] => {
    const shown = Object.entries(all).filter(([name]) => isShown(name));
    return shown.length === 0
      ? []
      : [
          { heading },
          ...shown.map(([name, note]) => ({
            text: modules[name] ?? name,
            note: now(name) || note,
            run: () => choose(name),
          })),
        ];
  });
