import { link } from "../base/routes.ts";
import { discard, incomplete, newIn } from "../changes/pending.ts";
import { State } from "./state.tsx";

/** New objects that are not applied yet. Nothing if there are none. @param collections where they are created, such as `/backends/static` */
export function Added({ collections }: { collections: string[] }) {
  const added = collections.flatMap(newIn);
  if (added.length === 0) return null;
  return (
    <section class="panel" aria-label="Not applied yet">
      {added.map(({ path, name, title }) => (
        <div class="row" key={name}>
          <bdi class="b grow cut">{title}</bdi>
          {incomplete.value.some(({ key }) => key === `${path} ${name}`) ? (
            <a href={link("review")}>Enter its secret again</a>
          ) : (
            <State tone="busy">Not applied yet</State>
          )}
          <button type="button" class="btn q s" onClick={() => discard(`${path} ${name}`)}>
            Take back<span class="hidden"> {title}</span>
          </button>
        </div>
      ))}
    </section>
  );
}
