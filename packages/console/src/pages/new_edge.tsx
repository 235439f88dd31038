import "./common.ts";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useNames } from "../api/names.ts";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { type Answers, hostportsOf, keepAnswers, start } from "../changes/wizard.ts";
import { count } from "../facts/amounts.ts";
import type { IconName } from "../widgets/icon_paths.ts";
import { Icon } from "../widgets/icons.tsx";
import { NotAllowed, Page, Panel } from "../widgets/page.tsx";
import { certificateIn, steps, whoIn } from "./new_edge_steps.tsx";

/** Leads from a host to an edge with everything that it needs. It ends in a review; nothing is served before. */
export function NewEdge() {
  const [answers, setAnswers] = useState<Answers>(start);
  const [at, setAt] = useState(0);
  const names = useNames();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(
    () => form.current?.querySelector<HTMLElement>("input:not([type=radio]), h2")?.focus(),
    [at],
  );
  if (!mayPlan.value) return <NotAllowed role="planner" />;
  // TCP has no certificates.
  const all = answers.kind === "tcp" ? steps.slice(0, -1) : steps;
  const step = all[Math.min(at, all.length - 1)] ?? steps[0];
  const next = all[at + 1];
  if (!step) return null;
  const set = (more: Partial<Answers>): void => setAnswers({ ...answers, ...more });
  const nameById = (id: string): string => names(id).name;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (next) setAt(at + 1);
    else {
      keepAnswers(answers);
      location.hash = link("review");
    }
  };
  return (
    <Page
      title="New edge"
      of={[{ name: "Edges", href: link("edges") }]}
      facts={["nothing is served before you have reviewed it"]}
      isTask
    >
      <div class="wizard">
        <Rail
          names={[...all.map(({ name }) => name), "Review"]}
          answers={all.map((one) => one.answer(answers, nameById))}
          at={at}
          go={setAt}
        />
        <form class="form" ref={form} onSubmit={submit} key={step.name}>
          <div>
            <h2 class="lead" tabIndex={-1}>
              {step.title}
            </h2>
            <p class="t2">{step.note}</p>
          </div>
          <step.form answers={answers} set={set} />
          <div class="actions">
            <a class="btn q" href={link("edges")}>
              Cancel
            </a>
            <span class="push" />
            {at > 0 && (
              <button type="button" class="btn" onClick={() => setAt(at - 1)}>
                Back
              </button>
            )}
            <button type="submit" class="btn p" disabled={!step.isAnswered(answers)}>
              {next ? `Next: ${next.name.toLowerCase()}` : "Review"}
            </button>
          </div>
        </form>
        <WhatIsServed answers={answers} at={at} nameById={nameById} />
      </div>
    </Page>
  );
}

/** The steps with their answers. Those that are done can be opened again. */
function Rail(props: { names: string[]; answers: string[]; at: number; go: (at: number) => void }) {
  const { names, answers, at, go } = props;
  return (
    <ol class="rail" aria-label="Steps">
      {names.map((name, index) => {
        const isDone = index < at;
        return (
          <li key={name} class={index === at ? "on" : ""} aria-current={index === at ? "step" : undefined}>
            <span class={isDone ? "no done" : index === at ? "no now" : "no"} aria-hidden="true">
              {isDone ? <Icon name="allow" /> : index + 1}
            </span>
            <div>
              {isDone ? (
                <button type="button" class="plain" onClick={() => go(index)}>
                  {name}
                </button>
              ) : (
                name
              )}
              {isDone && <span class="meta wrap">{answers[index]}</span>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** What the answers amount to, as a client meets it. */
function WhatIsServed(props: { answers: Answers; at: number; nameById: (id: string) => string }) {
  const { answers, at, nameById } = props;
  const line = (icon: IconName, text: ComponentChildren, note: string, isOpen: boolean) => (
    <li class={isOpen ? "open" : ""}>
      <Icon name={icon} />
      <div class="wrap">
        {text}
        <div class="meta">{note}</div>
      </div>
    </li>
  );
  const [first, ...others] = hostportsOf(answers);
  return (
    <Panel title="What will be served" footer="By each machine, within seconds after you apply it">
      <ol class="flow">
        {line(
          "globe",
          first === undefined ? "Host" : <code class="b">{first}</code>,
          first === undefined
            ? "not chosen yet"
            : `${answers.kind.toUpperCase()}${others.length > 0 ? `, and ${count(others.length, "other host")}` : ""}${answers.kind === "https" ? ", every path" : ""}`,
          first === undefined,
        )}
        {line(
          "policies",
          at < 2 ? "Who gets in" : whoIn(answers, nameById),
          at < 2 ? "not chosen yet" : answers.needsCertificate ? "with a certificate" : "by address",
          at < 2,
        )}
        {answers.kind !== "tcp" &&
          line(
            "certificates",
            at < 3 ? "Certificate" : certificateIn(answers),
            at < 3 ? "not chosen yet" : "for the host",
            at < 3,
          )}
        {line(
          "backends",
          answers.to === "new" && answers.address !== "" ? (
            <code class="b">{answers.address}</code>
          ) : answers.backend !== "" ? (
            nameById(answers.backend)
          ) : (
            "Backend"
          ),
          at < 1 ? "not chosen yet" : answers.isEncrypted ? "encrypted" : "",
          at < 1,
        )}
      </ol>
    </Panel>
  );
}
