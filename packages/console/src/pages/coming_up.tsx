import { DAYS_AHEAD, type EndingObject, useEnding } from "../api/ending.ts";
import { nameOf } from "../api/names.ts";
import { link } from "../base/routes.ts";
import { now } from "../facts/amounts.ts";
import { Icon } from "../widgets/icons.tsx";
import { Loaded, Panel } from "../widgets/page.tsx";
import { Ref, Time } from "../widgets/text.tsx";

/** How many of them are listed. */
const SHOWN = 5;

/** The rules and keys that end soon. Nothing if there are none. */
export function ComingUp() {
  return (
    <Loaded query={useEnding()} isQuiet>
      {(all) => <Ending all={all} />}
    </Loaded>
  );
}

function Ending({ all }: { all: EndingObject[] }) {
  const ending = all.filter(({ expires_at }) => Date.parse(expires_at) > now());
  if (ending.length === 0) return null;
  const more = ending.length - SHOWN;
  return (
    <Panel
      title="Coming up"
      note={`next ${DAYS_AHEAD} days`}
      {...(more > 0 && { footer: ending.length < 100 ? `and ${more} more` : `and at least ${more} more` })}
    >
      <div>
        {ending.slice(0, SHOWN).map((object) => (
          <EndingRow key={object.id} object={object} />
        ))}
      </div>
    </Panel>
  );
}

function EndingRow({ object }: { object: EndingObject }) {
  const isRule = "cidr" in object;
  return (
    <div class="row">
      <Icon name={isRule ? "clock" : "keys"} />
      <div class="grow">
        {isRule ? (
          <>
            Rule of <Ref id={object.ip_policy.id} /> ends
          </>
        ) : (
          <>
            Key{" "}
            <a class="link" href={link("keys")}>
              <bdi>{nameOf(object)}</bdi>
            </a>{" "}
            expires
          </>
        )}
        <div class="meta wrap">
          {isRule ? (
            <>
              {object.action === "allow" ? "allows" : "denies"} <code>{object.cidr}</code> until then
              {object.description !== undefined && (
                <>
                  {" · "}
                  <bdi>{object.description}</bdi>
                </>
              )}
            </>
          ) : object.last_used_at === undefined ? (
            "never used"
          ) : (
            <>
              last used <Time at={object.last_used_at} />
            </>
          )}
        </div>
      </div>
      <span class="meta nowrap">
        <Time at={object.expires_at} />
      </span>
    </div>
  );
}
