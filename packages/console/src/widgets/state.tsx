import type { ComponentChildren, VNode } from "preact";
import type { StateSign, StateTone } from "../facts/tones.ts";

const signs: Record<StateSign, VNode> = {
  tick: (
    <>
      <circle cx="6" cy="6" r="5.5" fill="currentColor" />
      <path
        d="M3.4 6.2l1.9 1.8 3.4-3.7"
        fill="none"
        stroke="var(--bg)"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </>
  ),
  half: (
    <>
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M6 1.2a4.8 4.8 0 0 1 0 9.6z" fill="currentColor" />
    </>
  ),
  cross: (
    <>
      <rect x=".6" y=".6" width="10.8" height="10.8" rx="2.4" fill="currentColor" />
      <path d="M4 4l4 4M8 4l-4 4" stroke="var(--bg)" stroke-width="1.5" stroke-linecap="round" />
    </>
  ),
  triangle: (
    <>
      <path d="M6 .8l5.6 10H.4z" fill="currentColor" stroke="currentColor" stroke-linejoin="round" />
      <path d="M6 4.3v3M6 9.2h.01" stroke="var(--bg)" stroke-width="1.4" stroke-linecap="round" />
    </>
  ),
  dotted: (
    <circle
      cx="6"
      cy="6"
      r="4.8"
      fill="none"
      stroke="currentColor"
      stroke-width="1.3"
      stroke-dasharray="2 1.77"
    />
  ),
  quarter: (
    <>
      <circle
        cx="6"
        cy="6"
        r="4.8"
        fill="none"
        stroke="currentColor"
        stroke-opacity=".3"
        stroke-width="1.6"
      />
      <path
        d="M6 1.2A4.8 4.8 0 0 1 10.8 6"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        stroke-linecap="round"
      />
    </>
  ),
  off: (
    <>
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" stroke-width="1.3" />
      <path d="M3.6 6h4.8" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" />
    </>
  ),
};

const usual = { good: "tick", warn: "half", bad: "cross", busy: "quarter", none: "dotted" } as const;

/** A state: a shape and a word. `sign` replaces the usual shape of the tone. */
export function State(props: { tone: StateTone; sign?: StateSign; children: ComponentChildren }) {
  const { tone, children } = props;
  return (
    <span class={`state ${tone}`}>
      <Sign {...props} />
      {children}
    </span>
  );
}

/** The shape of a state alone. */
export const Sign = ({ tone, sign = usual[tone] }: { tone: StateTone; sign?: StateSign }) => (
  <svg viewBox="0 0 12 12" aria-hidden="true">
    {signs[sign]}
  </svg>
);

/** The state of an edge or a route. */
export const ServedState = ({ served: { tone, sign, text } }: { served: ServedInWords }) => (
  <State tone={tone} sign={sign}>
    {text}
  </State>
);

interface ServedInWords {
  tone: StateTone;
  sign: StateSign;
  text: string;
}
