import { useState } from "preact/hooks";
import { type Fields, isFields } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink, policyLink } from "../base/links.ts";
import { describe, modules } from "../changes/modules.ts";
import { pending } from "../changes/pending.ts";
import { useTitles } from "../changes/titles.ts";
import { needsCertificate } from "../facts/entrances.ts";
import { Icon } from "../widgets/icons.tsx";
import { Menu } from "../widgets/menu.tsx";
import { Chip, None, Panel } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { EditModule } from "./edit_module.tsx";
import { stepItems } from "./step_items.ts";

/** The icon of each module. */
const icons: Record<string, string> = {
  ip_restriction: "policies",
  mutual_tls: "certificates",
  tls_termination: "authorities",
  backend: "backends",
  traffic_policy: "plans",
  circuit_breaker: "warn",
  user_agent_filter: "people",
  request_headers: "swap",
  response_headers: "swap",
  compression: "swap",
  webhook_verification: "keys",
  websocket_tcp_converter: "swap",
};

/** What a request goes through: the modules that are set, and a menu to add others. */
export function EdgeSteps({
  object,
  path,
  edge,
}: {
  object: EdgeObject | RouteObject;
  path: string;
  edge: EdgeObject;
}) {
  const [changed, setChanged] = useState<string>();
  const fields: Fields = { ...object };
  const isEdge = object === edge;
  const policy = policyLink(edge.id, isEdge ? undefined : object.id);
  const named = useTitles();
  const change = pending.value[path];
  const changes: Fields = change?.type === "update" ? change.body : {};
  const set = Object.entries(modules).flatMap(([name, title]): SetModule[] => {
    const isChanged = name in changes;
    const module = isChanged ? changes[name] : fields[name];
    if (!isFields(module))
      return isChanged && isFields(fields[name])
        ? [{ name, title, isEnabled: true, isChanged, text: "Removed" }]
        : [];
    // In a request, a module is enabled if `enabled` is left out.
    const isEnabled = module["enabled"] === true || (isChanged && module["enabled"] === undefined);
    return [{ name, title, isEnabled, isChanged, text: describe(name, module, named) }];
  });
  const items = stepItems(
    (name) => fields[name] === null && !isFields(changes[name]),
    () => "",
    (name) => {
      if (name === "traffic_policy") location.hash = policy;
      else setChanged(name);
    },
  );
  return (
    <Panel title={isEdge && edge.kind === "https" ? "For every route" : "What a request goes through"}>
      {set.length === 0 && !needsCertificate(edge) && <None>Nothing is set.</None>}
      {!isEdge && needsCertificate(edge) && (
        <div class="row step">
          <Icon name="certificates" />
          <span class="t3 what">{modules["mutual_tls"]}</span>
          <span class="grow">Clients need a certificate</span>
          <a class="btn q s" href={edgeLink(edge.id)}>
            Of the edge
          </a>
        </div>
      )}
      {set.map((module) => (
        <Step key={module.name} module={module} policy={policy} change={() => setChanged(module.name)} />
      ))}
      {mayPlan.value && items.length > 0 && (
        <div class="row">
          <Menu
            label="Add a step"
            face={
              <>
                <Icon name="add" />
                Add a step
              </>
            }
            class="btn q s add"
            items={items}
          />
        </div>
      )}
      {changed !== undefined && (
        <EditModule path={path} title={nameOf(object)} name={changed} close={() => setChanged(undefined)} />
      )}
    </Panel>
  );
}

/** A module that is set. */
interface SetModule {
  name: string;
  title: string;
  isEnabled: boolean;
  /** True if it has a change that is not applied yet. */
  isChanged: boolean;
  text: string;
}

/** A module and what it does. The traffic policy has a page of its own. */
function Step({ module, policy, change }: { module: SetModule; policy: string; change: () => void }) {
  const { name, title, isEnabled, isChanged, text } = module;
  const isPolicy = name === "traffic_policy";
  return (
    <div class="row step">
      <Icon name={icons[name] ?? ""} />
      <span class="what">{title}</span>
      <span class="grow wrap t2">
        {isPolicy ? <code class="policy">{text}</code> : <bdi>{text}</bdi>}{" "}
        {isChanged && <Chip tone="acc">not applied yet</Chip>}
      </span>
      {!isEnabled && (
        <State tone="none" sign="off">
          Off
        </State>
      )}
      {isPolicy && (
        <a class="btn q s" href={policy}>
          Open<span class="hidden"> the traffic policy</span>
        </a>
      )}
      {!isPolicy && mayPlan.value && (
        <button type="button" class="btn q s" onClick={change}>
          Change<span class="hidden"> {title}</span>
        </button>
      )}
    </div>
  );
}
