import { discard, pending } from "../changes/pending.ts";
import { Chip, Panel } from "../widgets/page.tsx";

const verbs = { create: "created", update: "changed", delete: "removed", rules: "changed" } as const;

/** The pending changes, each of which can be taken back. */
export function Waiting({ changed }: { changed: () => void }) {
  return (
    <Panel title="Your changes">
      {Object.entries(pending.value).map(([key, { type, title }]) => (
        <article class="row" key={key}>
          <Chip>{verbs[type]}</Chip>
          <bdi class="grow wrap">{title}</bdi>
          <TakeBack
            title={title}
            run={() => {
              discard(key);
              changed();
            }}
          />
        </article>
      ))}
    </Panel>
  );
}

/** A button that takes a pending change back. */
export const TakeBack = ({ title, run }: { title: string; run: () => void }) => (
  <button type="button" class="btn q s" onClick={run}>
    Take back<span class="hidden"> {title}</span>
  </button>
);
