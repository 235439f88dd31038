import "./common.ts";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useIssuers } from "../api/operation_queries.ts";
import { useAuthorities, useBackends, usePolicies } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { go, link, place } from "../base/routes.ts";
import { isEqual } from "../changes/diff.ts";
import { useTitles } from "../changes/titles.ts";
import {
  type Answers,
  asksForCertificate,
  draft,
  faultsOf,
  hostportsOf,
  keepAnswers,
  start,
  validAnswers,
} from "../changes/wizard.ts";
import { count } from "../facts/amounts.ts";
import { FieldErrors, focusWrong } from "../widgets/faults.tsx";
import type { IconName } from "../widgets/icon_paths.ts";
import { Icon } from "../widgets/icons.tsx";
import { NotAllowed, Page, Panel } from "../widgets/page.tsx";
import { certificateIn, steps, whoIn } from "./new_edge_steps.tsx";

/** The link to a step. The answers stay while somebody is elsewhere. */
const stepLink = (at: number): string => link("new_edge", undefined, { step: String(at + 1) });

/**
 * The steps, the one that the address names, the answers that are valid, and what is wrong. No step can be reached before one that is
 * wrong.
 */
function useSteps() {
  const answers = validAnswers(
    draft.value,
    useBackends().data,
    usePolicies().data,
    useAuthorities().data,
    // Read before its step is shown.
    useIssuers().data,
  );
  const faults = faultsOf(answers);
  // TCP has no certificates.
  const all = answers.kind === "tcp" ? steps.slice(0, -1) : steps;
  const wrong = all.findIndex(({ fields }) => fields.some((field) => faults[field] !== undefined));
  const last = wrong === -1 ? all.length - 1 : wrong;
  const given = place.value.query.get("step");
  const at = Math.max(0, Math.min(Number(given ?? 1) - 1 || 0, last));
  // Otherwise, the form would leave the step as soon as it is answered.
  useLayoutEffect(() => {
    const isHere = location.hash.startsWith(link("new_edge"));
    if (isHere && given !== null && given !== String(at + 1)) go(stepLink(at), "replace");
  }, [given, at]);
  return { all, at, isWrong: at === wrong, answers, faults };
}

/** Leads from a host to an edge with everything that it needs. It ends in a review; nothing is served before. */
export function NewEdge() {
  const { all, at, isWrong, answers, faults } = useSteps();
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(-1);
  useLayoutEffect(
    () => form.current?.querySelector<HTMLElement>("input:not([type=radio]), h2")?.focus(),
    [at],
  );
  if (!mayPlan.value) return <NotAllowed role="planner" />;
  const step = all[at];
  const next = all[at + 1];
  if (!step) return null;
  const set = (more: Partial<Answers>): void => {
    draft.value = { ...draft.value, ...more };
  };
  const nameById = useTitles();
  const error = isEqual({ ...answers, certificate: "" }, { ...draft.value, certificate: "" })
    ? !next && tried === at && faults.certificate
    : "Something you chose was deleted or applied in the meantime.";
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isWrong) {
      setTried(at);
      setTimeout(() => focusWrong(form.current));
    } else if (next) go(stepLink(at + 1));
    else {
      keepAnswers(answers);
      draft.value = start;
      // From the review, "Back" leads to the new edge among the others, not to an empty wizard.
      go(link("edges"), "replace");
      go(link("review"));
    }
  };
  return (
    <Page
      title="New edge"
      of={[{ name: "Edges", href: link("edges") }]}
      facts={["nothing is served before you have reviewed it", "answers stay until you finish or cancel"]}
      isTask
    >
      <div class="wizard">
        <Rail
          names={[...all.map(({ name }) => name), "Review"]}
          answers={all.map((one) => one.answer(answers, nameById))}
          at={at}
        />
        <form class="form" ref={form} onSubmit={submit} key={step.name} noValidate>
          <div>
            <p class="meta only-phone">
              Step {at + 1} of {all.length + 1}
            </p>
            <h2 class="lead" tabIndex={-1}>
              {step.title}
            </h2>
            <p class="t2">{step.note}</p>
          </div>
          <FieldErrors isTried={tried === at}>
            <step.form answers={answers} set={set} faults={faults} />
          </FieldErrors>
          {error && (
            <p class="error" role="alert">
              {error}
            </p>
          )}
          <Actions at={at} next={next?.name} />
        </form>
        <WhatIsServed answers={answers} at={at} nameById={nameById} />
      </div>
    </Page>
  );
}

/** @param props.next the name of the next step; undefined in the last one */
const Actions = ({ at, next }: { at: number; next: string | undefined }) => (
  <div class="actions">
    <a class="btn q" href={link("edges")} onClick={() => (draft.value = start)}>
      Cancel
    </a>
    <span class="push" />
    {at > 0 && (
      <a class="btn" href={stepLink(at - 1)}>
        Back
      </a>
    )}
    <button type="submit" class="btn p">
      {next === undefined ? "Review" : `Next: ${next.toLowerCase()}`}
    </button>
  </div>
);

/** The steps with their answers. Those that are done can be opened again. */
function Rail({ names, answers, at }: { names: string[]; answers: string[]; at: number }) {
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
                <a class="plain" href={stepLink(index)}>
                  {name}
                </a>
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
  const line = (icon: IconName, text: ComponentChildren, note: ComponentChildren, isOpen: boolean) => (
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
          at < 2
            ? "not chosen yet"
            : asksForCertificate(answers)
              ? "with a certificate"
              : answers.who !== "everybody" && "by address",
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
          (answers.to === "new"
            ? answers.address && <code class="b">{answers.address}</code>
            : answers.backend && nameById(answers.backend)) || "Backend",
          at < 1 ? "not chosen yet" : answers.to === "new" && answers.isEncrypted && "encrypted",
          at < 1,
        )}
      </ol>
    </Panel>
  );
}
