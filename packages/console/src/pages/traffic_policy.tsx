import "./common.ts";
import type { ComponentChildren } from "preact";
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
import { CodeField, wordAt } from "../widgets/code_field.tsx";
import { Tick } from "../widgets/inputs.tsx";
import { Menu } from "../widgets/menu.tsx";
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
  const { value, target, set } = props;
  const { check, error } = useCheck(value, target);
  const text = useRef<HTMLTextAreaElement>(null);
  const select = (from: number, to = from): void => {
    text.current?.focus();
    text.current?.setSelectionRange(from, to);
  };
  /** Puts a rule below the line of the caret; the first one gets its phase. */
  const insert = (rule: string): void => {
    const { selectionStart = 0 } = text.current ?? {};
    const lineEnd = value.indexOf("\n", selectionStart);
    const at = lineEnd === -1 ? value.length : lineEnd;
    const isFirst = value.trim() === "";
    const before = isFirst ? "" : value.slice(0, at);
    const added = `${isFirst ? `${PHASE[target]}:` : ""}\n${rule}`;
    set(before + added + (isFirst ? "\n" : value.slice(at)));
    setTimeout(() => select(before.length + added.length));
  };
  const findings = value === "" ? [] : (check?.findings ?? []);
  return (
    <>
      <Panel
        title="Text"
        aside={
          <>
            {count(value.split("\n").length, "line")}
            {mayPlan.value && (
              <Menu
                label="Insert a rule"
                class="btn q s"
                items={TEMPLATES[target].map(([name, note, rule]) => ({
                  text: name,
                  note,
                  run: () => insert(rule),
                }))}
              />
            )}
            <a class="btn q s" href="/docs/guides/policies" target="_blank">
              Reference
            </a>
          </>
        }
      >
        <CodeField
          field={text}
          label="Traffic policy"
          describedBy="findings"
          value={value}
          set={set}
          marks={findings.flatMap(({ line, column, severity }) =>
            line === null ? [] : [{ line, column, tone: severity === "error" ? "bad" : "warn" }],
          )}
          placeholder={`${PHASE[target]}:\n${TEMPLATES[target][0]?.[2]}`}
          isReadOnly={!mayPlan.value}
        />
      </Panel>
      <div id="findings" aria-live="polite">
        {error !== undefined && <Problem error={error} />}
        {value !== "" && check && <Findings check={check} value={value} set={set} select={select} />}
      </div>
    </>
  );
}

const PHASE: Record<Target, string> = {
  https_edge_route: "on_http_request",
  tls_edge: "on_tcp_connect",
  tcp_edge: "on_tcp_connect",
};

type Template = [name: string, note: string, rule: string];

const CONNECTIONS: Template[] = [
  [
    "Allow one address",
    "and deny all others",
    `  - name: one address only
    expressions: ["conn.client_ip != '203.0.113.7'"]
    actions: [{ type: deny }]`,
  ],
  [
    "Allow networks",
    "and deny all others",
    `  - name: known networks only
    actions: [{ type: restrict-ips, config: { allow: ["203.0.113.0/24"] } }]`,
  ],
];

/** Rules to begin with. The first one is shown in an empty field. */
const TEMPLATES: Record<Target, Template[]> = {
  tls_edge: CONNECTIONS,
  tcp_edge: CONNECTIONS,
  https_edge_route: [
    [
      "Deny requests",
      "by path, method, header or address",
      `  - name: no admin pages
    expressions: ["req.url.path.startsWith('/admin')"]
    actions: [{ type: deny }]`,
    ],
    [
      "Limit the rate",
      "of each client",
      `  - name: at most 100 a minute
    actions:
      - type: rate-limit
        config:
          name: per-client
          algorithm: sliding_window
          capacity: 100
          rate: 60s
          bucket_key: [conn.client_ip]`,
    ],
    [
      "Redirect",
      "to another host or path",
      `  - name: moved
    expressions: ["req.url.raw_path.startsWith('/old/')"]
    actions: [{ type: redirect, config: { to: "https://new.example.com\${req.url.uri}" } }]`,
    ],
    [
      "Respond",
      "in place of the backend",
      `  - name: back soon
    expressions: ["req.url.raw_path == '/shop'"]
    actions: [{ type: custom-response, config: { status_code: 503, body: "Back soon" } }]`,
    ],
    [
      "Add headers",
      "to the request that the backend gets",
      `  - name: the client's address
    actions: [{ type: add-headers, config: { headers: { x-client-ip: "\${conn.client_ip}" } } }]`,
    ],
  ],
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

/** The name that a message suggests, in place of the one at its column. */
const suggestionIn = (msg: string): string | undefined =>
  /[Dd]id you mean (?:"([^"]+)"|([^\s?]+))\?/.exec(msg)?.slice(1).find(Boolean);

/** What is wrong, each with a button that goes to its place in the text, or that replaces a name by the suggested one. */
function Findings(props: {
  check: Check;
  value: string;
  set: (value: string) => void;
  select: (from: number, to: number) => void;
}) {
  const { check, value, set, select } = props;
  const { verdict, findings } = check;
  const [tone, summary] = verdicts[verdict];
  const lines = value.split("\n");
  return (
    <Panel title="Findings" aside={<State tone={tone}>{summary}</State>}>
      {findings.length === 0 && <None>Nothing is wrong. Every rule is enforced as written.</None>}
      {findings.map(({ severity, line, column, path, msg }) => {
        if (line === null || column === null)
          return <Finding key={`${path} ${msg}`} severity={severity} msg={msg} place={severity} />;
        const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
        const after = before + wordAt(lines[line - 1] ?? "", column).length;
        const suggestion = mayPlan.value ? suggestionIn(msg) : undefined;
        return (
          <Finding
            key={`${path} ${line} ${column} ${msg}`}
            severity={severity}
            msg={msg}
            place={`Line ${line}`}
          >
            {suggestion !== undefined && (
              <button
                type="button"
                class="btn s"
                onClick={() => {
                  set(value.slice(0, before) + suggestion + value.slice(after));
                  setTimeout(() => select(before, before + suggestion.length));
                }}
              >
                Use {suggestion}
              </button>
            )}
            <button
              type="button"
              class="btn s"
              aria-label={`Go to line and column ${line}:${column}`}
              onClick={() => select(before, after)}
            >
              Go there
            </button>
          </Finding>
        );
      })}
    </Panel>
  );
}

function Finding(props: {
  severity: Check["findings"][number]["severity"];
  place: string;
  msg: string;
  children?: ComponentChildren;
}) {
  const isError = props.severity === "error";
  return (
    <div class="row">
      <State tone={isError ? "bad" : "warn"} {...(!isError && { sign: "triangle" })}>
        {props.place}
      </State>
      <span class="grow wrap">{props.msg}</span>
      {props.children}
    </div>
  );
}
