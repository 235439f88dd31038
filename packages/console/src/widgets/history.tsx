import { useObjectEvents } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { whatHappened } from "../facts/happened.ts";
import { Rows, Panel } from "./page.tsx";
import { Time } from "./text.tsx";

/** The newest changes of an object. */
export function History({ id }: { id: string }) {
  const events = useObjectEvents(id);
  return (
    <Panel title="History">
      <Rows query={events} empty="The log has no changes of this object.">
        {(event) => (
          <div class="row" key={event.event_id}>
            <a class="link grow cut" href={link("changes", event.event_id)}>
              {whatHappened(event)}
            </a>
            <span class="t3 sm">
              <bdi>{event.principal?.subject ?? "system"}</bdi> · <Time at={event.event_timestamp} />
            </span>
          </div>
        )}
      </Rows>
    </Panel>
  );
}
