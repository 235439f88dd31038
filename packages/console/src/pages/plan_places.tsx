import type { Schemas } from "../api/client.ts";
import { kindOf } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { amountOf } from "../facts/traffic.ts";
import { usePlanNames } from "./plan_names.tsx";

/*
 * The places of an effect: where clients arrive, and who serves them.
 */

type Place = Schemas["PlanPlace"];

/** What has places. */
interface Placed {
  at?: string;
  places: Place[];
  places_more: number;
}

const keyOfPlace = ({ hostport, match, object }: Place): string =>
  `${hostport} ${match?.match_type} ${match?.match} ${object.id}`;

/** A key for an item of an effect: no two have the same first place, unless at another time. */
export const keyOf = ({ at = "", places: [place] }: Placed): string => `${at} ${place && keyOfPlace(place)}`;

/** Who serves a place: of adjacent places with the same, only the last one shows it. */
const keyOfServer = ({ hostport, object, instead_of }: Place): string =>
  `${hostport === null} ${object.id} ${instead_of?.id}`;

/** The first places, and how many others there are. */
export function Places({ plan, item: { places, places_more } }: { plan: Plan; item: Placed }) {
  return (
    <ul class="places">
      {places.map((place, i) => {
        const next = places[i + 1];
        const isLast = next === undefined || keyOfServer(next) !== keyOfServer(place);
        return (
          <li key={keyOfPlace(place)}>
            <Where place={place} plan={plan} />
            {place.hostport !== null && isLast && <Server place={place} plan={plan} />}
          </li>
        );
      })}
      {places_more > 0 && <li class="t2">and {places_more.toLocaleString("en")} more</li>}
    </ul>
  );
}

function Where({ plan, place: { hostport, match, object } }: { plan: Plan; place: Place }) {
  const named = usePlanNames(plan)(object.id);
  const kind = object.id.startsWith("$") ? named.kind : kindOf(object.id);
  if (hostport === null)
    return (
      <>
        <span class="b">
          <Named target={object} plan={plan} />
        </span>{" "}
        <span class="t3">
          {kind}
          {kind.endsWith("IP policy") && ", wherever it is used"}
        </span>
      </>
    );
  return (
    <>
      <code class="b">{hostport}</code>
      {match && (
        <>
          {" "}
          <span class="t2">{match.match_type === "exact_path" ? "at" : "under"}</span>{" "}
          <code class="b">
            <bdi>{match.match}</bdi>
          </code>
        </>
      )}
    </>
  );
}

function Server({ plan, place: { object, instead_of, traffic } }: { plan: Plan; place: Place }) {
  return (
    <p class="meta">
      <Named target={object} plan={plan} />
      {instead_of && (
        <>
          {" "}
          <b class="danger">instead of</b> <Named target={instead_of} plan={plan} />
        </>
      )}
      {traffic && <span class="t3"> · {lastHour(traffic)}</span>}
    </p>
  );
}

/** The traffic of the last hour in words. */
export const lastHour = ({
  requests_last_hour: requests,
  connections_last_hour: connections,
  denied_last_hour: denied,
  is_complete: isComplete,
}: NonNullable<Place["traffic"]>): string =>
  `${isComplete ? "" : "at least "}${amountOf({ requests, connections })} in the last hour${denied === 0 ? "" : `, ${denied.toLocaleString("en")} denied`}`;

/** An object by its description, linked if it exists. The plan's operations describe new objects. */
export function Named({
  plan,
  target: { id, description },
}: {
  plan: Plan;
  target: Pick<Place["object"], "id" | "description">;
}) {
  const { name, href } = usePlanNames(plan)(id);
  const text = <bdi>{description || name}</bdi>;
  return href === undefined ? (
    text
  ) : (
    <a class="link" href={href}>
      {text}
    </a>
  );
}
