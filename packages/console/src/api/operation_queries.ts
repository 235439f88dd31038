import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/preact-query";
import { type DataChange, follow, followed, readFollowing } from "./cache.ts";
import { api, bodyOf, type Schemas } from "./client.ts";
import { newestOf, objectsOf } from "./lists.ts";
import { all } from "./queries.ts";

/*
 * What the pages about plans, changes, deliveries, keys and people read.
 */

/** The newest plans. */
export const usePlans = () =>
  useQuery(
    followed(
      ["plans"],
      async () => (await bodyOf(api.GET("/plans", { params: { query: { limit: 100 } } }))).plans,
      objectsOf("pln"),
    ),
  );

type EventList = Schemas["EventList"];
type EventFilter = NonNullable<Parameters<typeof readEvents>[0]>;

const readEvents = (query: {
  limit: number;
  before_id?: string;
  object_id?: string;
  type?: Schemas["EventType"];
  principal_id?: string;
  since?: string;
}) => bodyOf(api.GET("/events", { params: { query } }));

/** The events that match a filter, newest first, page by page. Later ones are added to the first page. */
export function useEvents(filter: Omit<EventFilter, "limit" | "before_id">) {
  const queryKey = ["events", "list", filter];
  const add = newestOf(
    ({ object, event_type, principal, event_timestamp }) =>
      object.id === (filter.object_id ?? object.id) &&
      event_type === (filter.type ?? event_type) &&
      principal?.id === (filter.principal_id ?? principal?.id) &&
      Date.parse(event_timestamp) >= Date.parse(filter.since ?? event_timestamp),
  );
  const changePage: DataChange<EventList> = (page, recorded) => {
    const events = add(page.events, recorded);
    return events === page.events ? page : { ...page, events };
  };
  const change: DataChange<InfiniteData<EventList, string>> = (data, recorded) => {
    const [first, ...rest] = data.pages;
    const changed = first && changePage(first, recorded);
    return changed === undefined || changed === first ? data : { ...data, pages: [changed, ...rest] };
  };
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => {
      if (pageParam !== "") return readEvents({ limit: 100, ...filter, before_id: pageParam });
      follow(queryKey, change);
      return readFollowing(() => readEvents({ limit: 100, ...filter }), changePage);
    },
    initialPageParam: "",
    getNextPageParam: ({ events, next_page_uri }) =>
      next_page_uri === null ? undefined : events.at(-1)?.event_id,
    structuralSharing: false,
  });
}

/** An event, and the one of the same object before it. */
export const useEvent = (id: string) =>
  useQuery({
    queryKey: ["events", "one", id],
    queryFn: async () => {
      const event = await bodyOf(api.GET("/events/{id}", { params: { path: { id } } }));
      const earlier = await readEvents({ limit: 1, object_id: event.object.id, before_id: id });
      return { event, before: earlier.events[0] };
    },
  });

export type Destination = Schemas["EventDestination"] & { delivery: Schemas["EventDelivery"] };

/** Every event destination with its delivery status. */
export const useDestinations = () =>
  useQuery({
    queryKey: ["destinations"],
    queryFn: async (): Promise<Destination[]> => {
      const destinations = await all((query) =>
        bodyOf(api.GET("/event_destinations", { params: { query } })),
      );
      return Promise.all(
        destinations.map(async (destination) => {
          const { id } = destination;
          const answer = api.GET("/event_destinations/{id}/delivery", { params: { path: { id } } });
          return { ...destination, delivery: await bodyOf(answer) };
        }),
      );
    },
    // Deliveries change without events, so the list is read again in any case.
    staleTime: 2_500,
    // More often while something is about to change.
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ delivery: { state } }) => state === "retrying" || state === "delivering") ? 2_500 : 10_000,
  });

/** Every event destination, without its delivery status. */
export const useDestinationList = (isEnabled = true) =>
  useQuery({
    ...followed(
      ["destination_list"],
      () => all((query) => bodyOf(api.GET("/event_destinations", { params: { query } }))),
      objectsOf("ed"),
    ),
    enabled: isEnabled,
  });

/** The types of events that the service emits. */
export const useEventTypes = () =>
  useQuery({
    queryKey: ["event_types"],
    queryFn: async () => {
      const { event_types } = await bodyOf(api.GET("/event_types"));
      return event_types.filter(({ emitted }) => emitted).map(({ type }) => type);
    },
    staleTime: Infinity,
  });

/** Who issues certificates. */
export const useIssuers = () =>
  useQuery(
    followed(
      ["issuers"],
      () => all((query) => bodyOf(api.GET("/certificate_issuers", { params: { query } }))),
      objectsOf("ci"),
    ),
  );

export const useSubscriptions = () =>
  useQuery(
    followed(
      ["subscriptions"],
      () => all((query) => bodyOf(api.GET("/event_subscriptions", { params: { query } }))),
      objectsOf("esb"),
    ),
  );

export const useDeadLetters = (id: string) =>
  useQuery({
    queryKey: ["destinations", id, "dead"],
    queryFn: () =>
      all((query) =>
        bodyOf(api.GET("/event_destinations/{id}/dead_letters", { params: { path: { id }, query } })),
      ),
  });

export const useKeys = (isAdmin: boolean) =>
  useQuery(
    followed(
      ["keys", isAdmin],
      () =>
        all((query) =>
          bodyOf(
            isAdmin
              ? api.GET("/api_keys", { params: { query } })
              : api.GET("/users/me/keys", { params: { query } }),
          ),
        ),
      objectsOf("ak"),
    ),
  );

export const useBots = (isEnabled: boolean) =>
  useQuery({
    ...followed(
      ["bots"],
      () => all((query) => bodyOf(api.GET("/bot_users", { params: { query } }))),
      objectsOf("bot"),
    ),
    enabled: isEnabled,
  });

export const usePeople = () =>
  useQuery(
    followed(
      ["people"],
      () => all((query) => bodyOf(api.GET("/users", { params: { query } }))),
      objectsOf("usr"),
    ),
  );
