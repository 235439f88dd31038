import { clock } from "../../../packages/model/src/clock.ts";
import { isIdOf } from "../../../packages/model/src/ids.ts";
import type { Session } from "../../db/session.ts";
import { lastHour } from "../traffic/traffic_by_object.ts";
import type { ShownEffect } from "./effect_schemas.ts";

/*
 * How much traffic the objects of an effect had. It is added when an effect is shown, and not stored: a plan does not become outdated because
 * clients send requests.
 */

const counted = ["tcp_edge", "tls_edge", "https_edge", "https_edge_route"] as const;
const isCounted = (id: string): boolean => counted.some((kind) => isIdOf(kind, id));

/** Adds what is known of the traffic of the last hour to the places and changes of an effect. One round trip, or none. */
export async function withTraffic<Effect extends Pick<ShownEffect, "changes" | "access" | "later">>(
  session: Session,
  effect: Effect,
): Promise<Effect> {
  const { changes, access, later } = effect;
  const places = [...(access ?? []), ...(later ?? [])].flatMap((item) => item.places);
  const targets = [...changes.map(({ object }) => object), ...places.map(servedBefore)];
  const ids = new Set(targets.flatMap((target) => (target && isCounted(target.id) ? target.id : [])));
  if (ids.size === 0) return effect;
  const known = await lastHour(session, [...ids], clock.now());
  const atPlaces = <Item extends { places: Place[] }>(item: Item): Item => ({
    ...item,
    places: item.places.map((place) => ({ ...place, ...trafficOf(servedBefore(place), known) })),
  });
  return {
    ...effect,
    changes: changes.map((change) => ({ ...change, ...trafficOf(change.object, known) })),
    access: access && access.map(atPlaces),
    later: later && later.map(atPlaces),
  };
}

type Place = NonNullable<ShownEffect["access"]>[number]["places"][number];

const servedBefore = ({ object, instead_of }: Place): Place["object"] => instead_of ?? object;

/** What is known of an object's traffic: nothing of new objects, and of those that agents have only counted together with others. */
function trafficOf(
  target: Place["object"] | null,
  { objects, isComplete }: Awaited<ReturnType<typeof lastHour>>,
): Pick<Place, "traffic"> {
  const { id = "" } = target ?? {};
  const sums = objects.get(id);
  if (!isCounted(id) || !(sums || isComplete)) return {};
  const { requests, connections, denied } = sums ?? { requests: 0, connections: 0, denied: 0 };
  return {
    traffic: {
      requests_last_hour: requests,
      connections_last_hour: connections,
      denied_last_hour: denied,
      is_complete: isComplete,
    },
  };
}
