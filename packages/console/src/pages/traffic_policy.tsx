import "./common.ts";
import { useEffect, useState } from "preact/hooks";
import { type Fields, isFields, readObject, type TaggedObject } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useEdges } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { go, link, place } from "../base/routes.ts";
import { isEqual, textOf } from "../changes/diff.ts";
import { draftOf, hasDrafts, setDraft } from "../changes/drafts.ts";
import { keep, pending } from "../changes/pending.ts";
import { urlOf } from "../facts/entrances.ts";
import { CancelLink, useListed } from "../widgets/dialog.tsx";
import { Tick } from "../widgets/inputs.tsx";
import { NotListed, Page, Problem, Skeleton, Unread } from "../widgets/page.tsx";
import { Simulator } from "../widgets/simulator.tsx";
import { PolicyText, policyTargets } from "./policy_field.tsx";

/** The traffic policy of an edge or of one of its routes: its text, what is wrong with it, and a request to try it on. */
export function TrafficPolicyPage({ id }: { id: string }) {
  const edges = useEdges();
  const edge = useListed(edges.data, id, hasDrafts());
  const routeId = place.value.query.get("route");
  const route = useListed(edge?.kind === "https" ? edge.routes : undefined, routeId, hasDrafts());
  const path = route ? `/edges/https/${id}/routes/${route.id}` : `/edges/${edge?.kind}/${id}`;
  if (!edges.data) return <Unread query={edges} what="traffic policy" />;
  if (!edge || (routeId === null ? edge.kind === "https" : !route))
    return <NotListed what={routeId ? "route" : "edge"} id={routeId ?? id} />;
  // Another route has another policy, even if only the query of the address changes.
  return <KnownPolicy key={path} edge={edge} route={route} path={path} />;
}

interface Owner {
  edge: EdgeObject;
  route: RouteObject | undefined;
  path: string;
}

/** Reads the policy's object with its ETag, or takes the one that unfinished or pending changes are based on. */
function KnownPolicy(owner: Owner) {
  const { path } = owner;
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const change = pending.value[path];
    const draft = draftOf(path);
    if (draft) setKnown(draft);
    else if (change?.type === "update") setKnown({ object: change.base, etag: change.etag });
    else readObject(path).then(setKnown, setError);
  }, []);
  if (error !== undefined) return <Problem error={error} />;
  if (!known) return <Skeleton />;
  return <Editor {...owner} known={known} />;
}

/** The module as it would be: changed, or as it is. */
function moduleOf(path: string, { object }: TaggedObject): Fields {
  const change = pending.value[path];
  const changed = change?.type === "update" ? change.body : {};
  const module = "traffic_policy" in changed ? changed["traffic_policy"] : object["traffic_policy"];
  return isFields(module) ? module : {};
}

function Editor({ edge, route, path, known }: Owner & { known: TaggedObject }) {
  const object = route ?? edge;
  const [start] = useState(() => moduleOf(path, known));
  // A field has only line feeds, and positions are those of its text.
  const before = textOf(start["value"]).replaceAll(/\r\n?/g, "\n");
  const initial = { value: before, isEnabled: start["enabled"] !== false };
  const [module, setModule] = useState(() => draftOf(path) ?? initial);
  const { value, isEnabled } = module;
  const isEdited = !isEqual({ value, isEnabled }, initial);
  const stored = known.object["traffic_policy"];
  const isStored = isFields(stored)
    ? stored["value"] === value && (stored["enabled"] !== false) === isEnabled
    : value === "";
  const back = edgeLink(edge.id, route?.id);
  const submit = (event: Event): void => {
    event.preventDefault();
    const change = pending.value[path];
    const others = change?.type === "update" ? change.body : {};
    const { traffic_policy: _, ...rest } = others;
    const traffic_policy = value === "" ? null : { enabled: isEnabled, value };
    const { object: base, etag } = known;
    const body = isStored ? rest : { ...others, traffic_policy };
    keep(path, { type: "update", path, title: nameOf(object), etag, base, body });
    setDraft(path, undefined);
    go(back);
  };
  const edit = (more: Partial<typeof initial>): void => {
    const next = { value, isEnabled, ...more };
    setDraft(path, isEqual(next, initial) ? undefined : { ...known, ...next });
    setModule(next);
  };
  const parents = [{ name: "Edges", href: link("edges") }];
  if (route) parents.push({ name: nameOf(edge), href: edgeLink(edge.id) });
  return (
    <Page
      title={`Traffic policy of ${nameOf(object)}`}
      name="Traffic policy"
      of={[...parents, { name: nameOf(object), href: back }]}
      facts={[
        "YAML or JSON",
        isEdited
          ? "unfinished, not kept yet"
          : !isStored && "kept for review, and applied with your other changes",
      ]}
      isTask
      actions={
        mayPlan.value && (
          <>
            <CancelLink href={back} isEdited={isEdited} discard={() => setDraft(path, undefined)} />
            <button type="submit" form="policy" class="btn p" data-key="enter" disabled={!isEdited}>
              {value === "" && start["value"] !== undefined ? "Remove the policy" : "Keep for review"}
            </button>
          </>
        )
      }
    >
      <div class="grid">
        <form class="col" id="policy" onSubmit={submit}>
          <PolicyText value={value} set={(text) => edit({ value: text })} target={policyTargets[edge.kind]} />
          {mayPlan.value && <Tick label="Enabled" value={isEnabled} set={(is) => edit({ isEnabled: is })} />}
        </form>
        <div class="col">
          <Simulator
            url={urlOf(edge, route)}
            {...(value !== "" && { policies: { [object.id]: { enabled: isEnabled, value } } })}
          />
        </div>
      </div>
    </Page>
  );
}
