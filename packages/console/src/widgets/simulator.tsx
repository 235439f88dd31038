import { useMemo, useState } from "preact/hooks";
import { api, bodyOf, type Fields, isFields, type Schemas } from "../api/client.ts";
import { textOf } from "../changes/diff.ts";
import type { StateTone } from "../facts/tones.ts";
import type { IconName } from "./icon_paths.ts";
import { Icon } from "./icons.tsx";
import { LongText, Text } from "./inputs.tsx";
import { Panel, Problem } from "./page.tsx";
import { State } from "./state.tsx";
import { Ref } from "./text.tsx";

type Result = Schemas["Simulation"];

/** Asks what becomes of a request. Nothing is sent. */
export function Simulator(props: {
  /** The URL at the start. */
  url: string;
  /** Traffic policies to use instead of the stored ones, by the id of their edge or route. */
  policies?: Record<string, { enabled: boolean; value: string }>;
}) {
  const [url, setUrl] = useState(props.url);
  const [method, setMethod] = useState("GET");
  const [ip, setIp] = useState("198.51.100.24");
  const [certificate, setCertificate] = useState("");
  const [headers, setHeaders] = useState("");
  const [asked, setAsked] = useState<{ question: string; result?: Result; error?: unknown }>();
  const tls = certificate === "" ? {} : { tls: { client_common_name: certificate } };
  const request = { url, method, source_ip: ip, headers: linesIn(headers), ...tls };
  const body = { request, ...(props.policies && { with: props.policies }) };
  const question = JSON.stringify(body);
  const submit = (event: Event): void => {
    event.preventDefault();
    bodyOf(api.POST("/simulations", { body })).then(
      (result) => setAsked({ question, result }),
      (error: unknown) => setAsked({ question, error }),
    );
  };
  // The answer is shown only until the request or the policy is edited.
  const { result, error } = asked?.question === question ? asked : {};
  return (
    <Panel title="Try a request">
      <form class="form pad" onSubmit={submit}>
        <div class="fields">
          <Text label="Method" isMono value={method} set={setMethod} />
          <Text label="Client's address" isMono value={ip} set={setIp} />
        </div>
        <Text label="URL" isMono value={url} set={setUrl} />
        <Text
          label="Name in the client's certificate"
          hint="Empty without a certificate"
          isMono
          value={certificate}
          set={setCertificate}
        />
        <LongText label="Headers, one per line" rows={2} value={headers} set={setHeaders} />
        <p>
          <button type="submit" class="btn">
            Simulate
          </button>
        </p>
      </form>
      <div aria-live="polite">
        {error !== undefined && <Problem error={error} />}
        {result && <Answer result={result} />}
        {asked && asked.question !== question && (
          <p class="nothing">The request or the policy has changed. Simulate again.</p>
        )}
      </div>
    </Panel>
  );
}

/** Header lines, as requests to the service have them. */
const linesIn = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = "", ...rest] = line.split(":");
      return [name.trim(), rest.join(":").trim()];
    });

function Answer({ result }: { result: Result }) {
  const { edge, route, outcome, steps, assumptions } = result;
  const [tone, summary] = useMemo(() => summaryOf(outcome), [outcome]);
  return (
    <>
      <div class="row">
        <State tone={tone}>{summary}</State>
        <span class="grow cut">
          <Ref id={(route ?? edge).id} />
          {outcome.kind === "upstream" && (
            <>
              {" → "}
              <Ref id={outcome.backend.id} />
            </>
          )}
        </span>
      </div>
      <div>
        {steps.map((step, index) => (
          <Step key={index} step={step} />
        ))}
      </div>
      {outcome.kind === "not_served" &&
        outcome.problems.map(({ code, msg }) => (
          <p class="row" key={code}>
            {msg}
          </p>
        ))}
      {outcome.kind === "response" && outcome.body !== "" && <pre class="row wrap">{outcome.body}</pre>}
      {assumptions.length > 0 && <p class="row meta">Assumed: {assumptions.join(" ")}</p>}
    </>
  );
}

/** What becomes of the request, in a few words. */
function summaryOf(outcome: Result["outcome"]): [StateTone, string] {
  switch (outcome.kind) {
    case "upstream":
      return [
        "good",
        outcome.response ? `reaches a backend, ${outcome.response.status_code}` : "reaches a backend",
      ];
    case "response":
      return [outcome.status_code < 400 ? "good" : "warn", `answered with ${outcome.status_code}`];
    case "closed":
      return ["bad", "closed"];
    case "not_served":
      return ["bad", "not served"];
  }
}

/** A verdict of the service: a word, or whether something holds. */
const verdictText = (value: unknown): string => (typeof value === "boolean" ? String(value) : textOf(value));

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** A module that ran, or a rule of a traffic policy. */
function Step({ step }: { step: Fields }) {
  const { module, verdict, reason, name, rule, holds } = step;
  const isRule = module === "traffic_policy";
  const title = isRule ? textOf(name ?? `rule ${Number(rule) + 1}`) : textOf(module).replaceAll("_", " ");
  const result = verdictText(isRule ? holds : verdict);
  const expressions = list(step["expressions"]);
  const actions = list(step["actions"]).filter(({ ran }) => ran === true);
  return (
    <div class="row">
      <Icon name={iconOf(result)} />
      <div class="grow">
        <bdi class="b">{title}</bdi> {inWords[result] ?? result}{" "}
        <span class="meta">{textOf(reason).replaceAll("_", " ")}</span>
        {expressions.map(({ text, value }, index) => (
          <div class="wrap" key={index}>
            <code>{textOf(text)}</code> <span class="t3">is {verdictText(value)}</span>
          </div>
        ))}
        {actions.map(({ type, effect }, index) => (
          <div class="wrap" key={index}>
            {textOf(type)} <code class="t3">{effect === null ? "" : JSON.stringify(effect)}</code>
          </div>
        ))}
      </div>
    </div>
  );
}

const inWords: Record<string, string> = {
  true: "applies",
  false: "does not apply",
  pass: "passes",
  reject: "rejects",
};

const iconOf = (result: string): IconName =>
  result === "reject" || result === "error" ? "deny" : result === "false" ? "next" : "allow";
