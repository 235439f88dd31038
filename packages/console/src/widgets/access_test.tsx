import { useMemo, useRef, useState } from "preact/hooks";
import { canonicalAddress } from "../../../model/src/values/ip.ts";
import { useNames } from "../api/names.ts";
import { type AccessAnswer, useAccess } from "../api/queries.ts";
import { place } from "../base/routes.ts";
import { conditionsOf, type Entrance, useEntrances } from "../facts/entrances.ts";
import type { ServedKind } from "../facts/served.ts";
import { Icon } from "./icons.tsx";
import { Rejection } from "./inputs.tsx";
import { Loaded, None, Panel } from "./page.tsx";

/** The reasons of the service, in words. */
const reasons: Record<AccessAnswer["reason"], string> = {
  no_restriction: "no IP restriction",
  restriction_disabled: "the restriction is disabled",
  no_policies: "the restriction has no policies",
  no_matching_rule: "no rule matches",
  deny_rule: "denied by",
  allow_rule: "allowed by",
};

/** Who gets in? Asks for an address at every entrance, or at the given ones. */
export function AccessTest({ only }: { only?: Only }) {
  const given = place.value.query.get("ip") ?? "";
  // The key resets the form when the address in the URL changes. An effect would also clear what is typed before it first runs.
  return <Asking key={given} given={given} only={only} />;
}

const faultOf = (text: string): string | undefined =>
  text === "" || canonicalAddress(text) !== undefined
    ? undefined
    : `“${text}” is not an IP address, such as 198.51.100.24.`;

function Asking({ given, only }: { given: string; only: Only }) {
  const [ip, setIp] = useState(given);
  const [asked, setAsked] = useState(faultOf(given) === undefined ? given : "");
  const [fault, setFault] = useState(faultOf(given));
  const input = useRef<HTMLInputElement>(null);
  const ask = (): void => {
    const text = ip.trim();
    const wrong = faultOf(text);
    setFault(wrong);
    setAsked(wrong === undefined ? text : "");
    if (wrong !== undefined) input.current?.focus();
  };
  return (
    <Panel title="Who gets in?" aside={<kbd aria-hidden="true">/</kbd>}>
      <form
        class="pad"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div class="field">
          <label class="find">
            <Icon name="find" />
            <input
              ref={input}
              class="mono"
              data-key="/"
              aria-label="IP address"
              aria-invalid={fault !== undefined}
              aria-describedby={fault === undefined ? undefined : "access-fault"}
              placeholder="Address, such as 198.51.100.24"
              value={ip}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => setIp(event.currentTarget.value)}
            />
            <button type="submit" class="btn q s">
              Ask
            </button>
          </label>
          <Rejection id="access-fault" text={fault} />
        </div>
      </form>
      <div aria-live="polite">{asked !== "" && <Answers ip={asked} only={only} />}</div>
    </Panel>
  );
}

/** The places that are shown, and what is said if there are none. */
type Only = { has: (access: AccessAnswer) => boolean; none: string } | undefined;

/** What an address gets from each place. */
function Answers({ ip, only }: { ip: string; only: Only }) {
  const access = useAccess(ip);
  const entrances = useEntrances();
  const places = useMemo(
    () => entrances.data && new Map(entrances.data.map((one) => [one.id, one])),
    [entrances.data],
  );
  return (
    <Loaded query={access}>
      {(all) => {
        const shown = only ? all.filter(only.has) : all;
        return (
          <Loaded query={{ ...entrances, data: places }}>
            {(known) => (
              <>
                {access.isStale && !access.isFetching && (
                  <p class="row">
                    <span class="grow t2">The configuration has changed since.</span>
                    <button type="button" class="btn s" onClick={() => void access.refetch()}>
                      Ask again
                    </button>
                  </p>
                )}
                <p class="pad meta">
                  For <code>{ip}</code>
                </p>
                {shown.length === 0 && <None>{only?.none ?? "No edge has been configured yet."}</None>}
                {shown.map((one) => {
                  const { id } = one.route ?? one.edge;
                  return <Answer key={id} access={one} place={known.get(id)} />;
                })}
              </>
            )}
          </Loaded>
        );
      }}
    </Loaded>
  );
}

/** What an allowed client gets from a place that is not served as configured. */
const answers: Partial<Record<ServedKind, string>> = {
  "answers 503": "Answered with 503",
  "no route": "Answered with 404",
  "no host": "Not served",
  "not served": "Not served",
};

function Answer({ access, place }: { access: AccessAnswer; place: Entrance | undefined }) {
  const { allowed, edge, route, reason, rule } = access;
  const names = useNames();
  const { name } = names((route ?? edge).id);
  const conditions = allowed && place ? conditionsOf(place.edge, place.route) : [];
  const answer = allowed && place ? answers[place.served.kind] : undefined;
  return (
    <div class="row">
      <Icon name={!allowed ? "deny" : answer === undefined ? "in" : "warn"} />
      <div class="grow">
        <div class="cut" title={name}>
          <b>{allowed ? (answer ?? "Gets in") : "Refused"}</b> at <bdi>{name}</bdi>
        </div>
        <div class="meta wrap">
          {allowed && place?.served.kind === "in part" && `${place.served.text} · `}
          {conditions.map((condition) => `${condition} · `)}
          {reasons[reason]} {rule && <code>{rule.cidr}</code>}
          {rule && ` in ${names(rule.ip_policy.id).name}`}
        </div>
      </div>
    </div>
  );
}
