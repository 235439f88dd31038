import type { Schemas } from "../api/client.ts";
import type { Plan } from "../api/queries.ts";
import { Chip } from "../widgets/page.tsx";

/*
 * How much of an effect that was too long is shown: its totals count everything.
 */

/** How many of something are shown, of how many. */
export interface Share {
  what: string;
  shown: number;
  all: number;
}

type Access = Schemas["PlanAccess"];

/** Totals do not count IP policies, whose only place is themselves. Objects that the plan creates have ids with a dollar sign. */
export const isOfPolicy = ({ places: [place] }: Pick<Access, "places">): boolean =>
  place?.hostport === null && /^(ipp_|\$)/.test(place.object.id);

/** How many places some items have. */
function placesOf<Item extends Pick<Access, "places" | "places_more">>(
  items: Item[],
  isCounted: (item: Item) => boolean,
): number {
  return items
    .filter((item) => !isOfPolicy(item) && isCounted(item))
    .reduce((sum, { places, places_more }) => sum + places.length + places_more, 0);
}

const cutOnly = (shares: Share[]): Share[] => shares.filter(({ shown, all }) => shown < all);

/** What of `access` is left out. */
export function accessShares({ truncated, totals }: Plan, access: Access[]): Share[] {
  if (!truncated || !totals) return [];
  const share = (what: string, all: number, isCounted: (item: Access) => boolean): Share => ({
    what,
    shown: placesOf(access, isCounted),
    all,
  });
  return cutOnly([
    share(
      "Places where every source newly gets in",
      totals.places_to_everyone,
      (item) => item.to_everyone && !item.from_everyone,
    ),
    share(
      "Places where sources newly get in",
      totals.places_newly_allowed,
      (item) => item.newly_allowed.length > 0,
    ),
    share("Places where a check ends", totals.checks_removed, (item) => item.no_longer.length > 0),
    share("Places where a check changes", totals.checks_changed, (item) => item.changed.length > 0),
    share(
      "Places where no source gets in any more",
      totals.places_to_nobody,
      (item) => item.to_nobody && item.newly_refused.length > 0,
    ),
    share(
      "Places where sources are shut out",
      totals.places_newly_refused,
      (item) => item.newly_refused.length > 0,
    ),
  ]);
}

/** What of `later` is left out. */
export function laterShares({ truncated, totals }: Plan, later: Schemas["PlanLater"][]): Share[] {
  if (!truncated || !totals) return [];
  return cutOnly([
    {
      what: "Pairs of a place and a time at which sources newly get in",
      shown: placesOf(later, (item) => item.newly_allowed.length > 0),
      all: totals.later_newly_allowed ?? 0,
    },
  ]);
}

/** What of the operations is left out. */
export const operationShares = ({ truncated, totals, operations, changes }: Plan): Share[] =>
  truncated
    ? cutOnly([{ what: "Operations", shown: changes.length, all: totals?.operations ?? operations.length }])
    : [];

/** How much of a list is shown, if not all. */
export function Shares({ shares }: { shares: Share[] }) {
  if (shares.length === 0) return null;
  return (
    <footer>
      <p>
        <Chip tone="warn">cut</Chip> Not everything is in this list:
      </p>
      <ul>
        {shares.map(({ what, shown, all }) => (
          <li key={what}>
            {what}: {shown.toLocaleString("en")} of {all.toLocaleString("en")} shown
          </li>
        ))}
      </ul>
    </footer>
  );
}
