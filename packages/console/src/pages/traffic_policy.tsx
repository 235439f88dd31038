import "./common.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  api,
  bodyOf,
  type Fields,
  isFields,
  readObject,
  type Schemas,
  type TaggedObject,
} from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useEdges } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { go, link, place } from "../base/routes.ts";
import { textOf } from "../changes/diff.ts";
import { keep, pending } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { urlOf } from "../facts/entrances.ts";
import type { StateTone } from "../facts/tones.ts";
import { Tick } from "../widgets/inputs.tsx";
import { Loaded, None, NotFound, Page, Panel, Problem, Skeleton } from "../widgets/page.tsx";
import { Simulator } from "../widgets/simulator.tsx";
import { State } from "../widgets/state.tsx";

type Check = Schemas["TrafficPolicyCheck"];

/** The traffic policy of an edge or of one of its routes: its text, what is wrong with it, and a request to try it on. */
export function TrafficPolicyPage({ id }: { id: string }) {
  const edges = useEdges();
  const edge = edges.data?.find((one) => one.id === id);
  const routeId = place.value.query.get("route");
  const route = edge?.kind === "https" ? edge.routes.find((one) => one.id === routeId) : undefined;
  const path = route ? `/edges/https/${id}/routes/${route.id}` : `/edges/${edge?.kind}/${id}`;
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  const isThere = edge && (route || (edge.kind !== "https" && routeId === null));
  useEffect(() => {
    const change = pending.value[path];
    if (change?.type === "update") setKnown({ object: change.base, etag: change.etag });
    else if (isThere) readObject(path).then(setKnown, setError);
  }, [path, isThere !== undefined]);
  if (!edges.data) return <Loaded query={edges}>{() => <Skeleton />}</Loaded>;
  if (!edge || !isThere) return <NotFound what={routeId ? "route" : "edge"} id={routeId ?? id} />;
  if (error !== undefined) return <Problem error={error} />;
  if (!known) return <Skeleton />;
  return <Editor edge={edge} route={route} path={path} known={known} />;
}

/** The module as it would be: changed, or as it is. */
function moduleOf(path: string, { object }: TaggedObject): Fields {
  const change = pending.value[path];
  const changed = change?.type === "update" ? change.body : {};
  const module = "traffic_policy" in changed ? changed["traffic_policy"] : object["traffic_policy"];
  return isFields(module) ? module : {};
}

function Editor(props: {
  edge: EdgeObject;
  route: RouteObject | undefined;
  path: string;
  known: TaggedObject;
}) {
  const { edge, route, path, known } = props;
  const object = route ?? edge;
  const [start] = useState(() => moduleOf(path, known));
  const [value, setValue] = useState(textOf(start["value"]));
  const [isEnabled, setEnabled] = useState(start["enabled"] !== false);
  const back = edgeLink(edge.id, route?.id);
  const submit = (event: Event): void => {
    event.preventDefault();
    const change = pending.value[path];
    const others = change?.type === "update" ? change.body : {};
    const traffic_policy = value === "" ? null : { enabled: isEnabled, value };
    const { object: base, etag } = known;
    const body = { ...others, traffic_policy };
    keep(path, { type: "update", path, title: nameOf(object), etag, base, body });
    go(back);
  };
  const parents = [{ name: "Edges", href: link("edges") }];
  if (route) parents.push({ name: nameOf(edge), href: edgeLink(edge.id) });
  return (
    <Page
      title={`Traffic policy of ${nameOf(object)}`}
      name="Traffic policy"
      of={[...parents, { name: nameOf(object), href: back }]}
      facts={["YAML or JSON", "kept for review, and applied with your other changes"]}
      isTask
      actions={
        mayPlan.value && (
          <>
            <a class="btn q" href={back}>
              Cancel
            </a>
            <button
              type="submit"
              form="policy"
              class="btn p"
              data-key="enter"
              disabled={value === "" && start["value"] === undefined}
            >
              {value === "" && start["value"] !== undefined ? "Remove the policy" : "Keep for review"}
            </button>
          </>
        )
      }
    >
      <div class="grid">
        <form class="col" id="policy" onSubmit={submit}>
          <PolicyText value={value} set={setValue} target={targets[edge.kind]} />
          {mayPlan.value && <Tick label="Enabled" value={isEnabled} set={setEnabled} />}
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

const targets = { https: "https_edge_route", tls: "tls_edge", tcp: "tcp_edge" } as const;
type Target = (typeof targets)[keyof typeof targets];

/** A field for the text, and what is wrong with it. */
function PolicyText(props: { value: string; set: (value: string) => void; target: Target }) {
  const { value, target } = props;
  const { check, error } = useCheck(value, target);
  const text = useRef<HTMLTextAreaElement>(null);
  const goTo = (line: number, column: number): void => {
    const before = value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    text.current?.focus();
    text.current?.setSelectionRange(at, at);
  };
  return (
    <>
      <Panel title="Text" aside={count(value.split("\n").length, "line")}>
        <textarea
          ref={text}
          class="editor mono"
          aria-label="Traffic policy"
          aria-describedby="findings"
          aria-invalid={check !== undefined && check.verdict !== "enforced"}
          spellcheck={false}
          readOnly={!mayPlan.value}
          rows={18}
          placeholder={PLACEHOLDER[target]}
          value={value}
          onInput={(event) => props.set(event.currentTarget.value)}
        />
      </Panel>
      <div id="findings" aria-live="polite">
        {error !== undefined && <Problem error={error} />}
        {value !== "" && check && <Findings check={check} goTo={goTo} />}
      </div>
    </>
  );
}

const CONNECTIONS = `on_tcp_connect:
  - name: one address only
    expressions: ["conn.client_ip != '203.0.113.7'"]
    actions: [{ type: deny }]`;
const PLACEHOLDER: Record<Target, string> = {
  https_edge_route: `on_http_request:
  - name: no admin pages
    expressions: ["req.url.raw_path.startsWith('/admin')"]
    actions: [{ type: deny }]`,
  tls_edge: CONNECTIONS,
  tcp_edge: CONNECTIONS,
};

/** What the service says of a text, a moment after the last key. */
function useCheck(value: string, target: Target) {
  const [check, setCheck] = useState<Check>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (value === "") return undefined;
    let isOutdated = false;
    const timer = setTimeout(() => {
      bodyOf(api.POST("/traffic_policies/check", { body: { value, for: target } })).then(
        (answer) => {
          if (isOutdated) return;
          setCheck(answer);
          setError(undefined);
        },
        (reason: unknown) => !isOutdated && setError(reason),
      );
    }, 250);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [value, target]);
  return { check, error };
}

const verdicts: Record<Check["verdict"], [StateTone, string]> = {
  enforced: ["good", "Enforced"],
  invalid: ["bad", "Invalid"],
  not_enforced: ["bad", "Cannot be enforced"],
};

/** What is wrong, each with a button that goes to its place in the text. */
function Findings(props: { check: Check; goTo: (line: number, column: number) => void }) {
  const { verdict, findings } = props.check;
  const [tone, summary] = verdicts[verdict];
  return (
    <Panel title="Findings" aside={<State tone={tone}>{summary}</State>}>
      {findings.length === 0 && <None>Nothing is wrong. Every rule is enforced as written.</None>}
      {findings.map(({ severity, line, column, path, msg }) => (
        <div class="row" key={`${path} ${line} ${column} ${msg}`}>
          <State
            tone={severity === "error" ? "bad" : "warn"}
            {...(severity !== "error" && { sign: "triangle" })}
          >
            {line === null ? severity : `Line ${line}`}
          </State>
          <span class="grow wrap">{msg}</span>
          {line !== null && column !== null && (
            <button
              type="button"
              class="btn s"
              aria-label={`Go to line and column ${line}:${column}`}
              onClick={() => props.goTo(line, column)}
            >
              Go there
            </button>
          )}
        </div>
      ))}
    </Panel>
  );
}
