import { useNames } from "../api/names.ts";
import { useObjectEvents } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { told } from "../facts/happened.ts";
import { capitalized, Panel, Rows } from "./page.tsx";
import { Time } from "./text.tsx";

/** The newest changes of an object. */
export function History({ id }: { id: string }) {
  const events = useObjectEvents(id);
  const names = useNames();
  return (
    <Panel
      title="History"
      aside={
        <a class="link" href={link("changes", undefined, { object: id })}>
          All
        </a>
      }
    >
      <Rows query={events} empty="The log has no changes of it.">
        {(event) => (
          <div class="row" key={event.event_id}>
            <div class="grow">
              <a class="link" href={link("changes", event.event_id)}>
                {capitalized(told(event, names).what)}
              </a>
              <div class="meta">
                <bdi>{event.principal?.subject ?? "system"}</bdi>, <Time at={event.event_timestamp} />
              </div>
            </div>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
