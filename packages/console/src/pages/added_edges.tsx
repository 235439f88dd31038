import { useState } from "preact/hooks";
import { isFields } from "../base/json.ts";
import { kindOfPath } from "../changes/forms.ts";
import { describe, modulesOf } from "../changes/modules.ts";
import { newIn, type PendingCreation } from "../changes/pending.ts";
import { useTitles } from "../changes/titles.ts";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { Added, AddedRows } from "./added.tsx";
import { EditModuleOfNew } from "./edit_module.tsx";
import { NewObject } from "./edit_object.tsx";
import { stepItems } from "./step_items.ts";

/*
 * Edges and routes that are not applied yet. They can get routes and steps before they exist, so that no edge is open for a while.
 */

/** The new edges, each with its new routes. Nothing if there are none. */
export const AddedEdges = () => (
  <Added
    added={["https", "tls", "tcp"]
      .flatMap((kind) => newIn(`/edges/${kind}`))
      .flatMap((edge) => [edge, ...newIn(`/edges/https/$${edge.name}/routes`)])}
    more={(change) => <More key={change.name} of={change} />}
  />
);

/** The new routes of an edge that exists. @param edge its id */
export const AddedRoutes = ({ edge }: { edge: string }) => (
  <AddedRows
    added={newIn(`/edges/https/${edge}/routes`)}
    more={(change) => <More key={change.name} of={change} />}
  />
);

const isOff = (module: unknown): boolean => isFields(module) && module["enabled"] === false;

/** A menu of the routes and the steps that a new edge or a new route can have. */
function More({ of }: { of: PendingCreation }) {
  const [chosen, choose] = useState<string>();
  const close = (): void => choose(undefined);
  const { path, name, title, body } = of;
  const own = modulesOf(kindOfPath(path) ?? "");
  const named = useTitles();
  const items = stepItems(
    (module) => own.includes(module),
    (module) => (isOff(body[module]) ? "Off" : describe(module, body[module], named)),
    choose,
  );
  const route = { text: "Route", note: "Where requests for a path go", run: () => choose("route") };
  return (
    <>
      <Menu
        label={`Add to ${title}`}
        face={
          <>
            <Icon name="add" />
            <span class="wide">Add</span>
          </>
        }
        class="btn q s"
        items={path === "/edges/https" ? [route, ...items] : items}
      />
      {chosen === "route" && <NewObject kinds={["route"]} parent={`$${name}`} close={close} />}
      {chosen !== undefined && chosen !== "route" && <EditModuleOfNew of={of} name={chosen} close={close} />}
    </>
  );
}
