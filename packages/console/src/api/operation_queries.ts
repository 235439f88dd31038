import { useInfiniteQuery, useQuery } from "@tanstack/preact-query";
import { api, bodyOf, type Schemas } from "./client.ts";
import { all } from "./queries.ts";

/*
 * What the pages about plans, changes, deliveries, keys and people read.
 */

/** The newest plans. */
export const usePlans = () =>
  useQuery({
    queryKey: ["plans"],
    queryFn: async () => (await bodyOf(api.GET("/plans", { params: { query: { limit: 100 } } }))).plans,
  });

type EventFilter = NonNullable<Parameters<typeof readEvents>[0]>;

const readEvents = (query: {
  limit: number;
  before_id?: string;
  object_id?: string;
  type?: Schemas["EventType"];
  principal_id?: string;
  since?: string;
}) => bodyOf(api.GET("/events", { params: { query } }));

/** The events that match a filter, newest first, page by page. */
export const useEvents = (filter: Omit<EventFilter, "limit" | "before_id">) =>
  useInfiniteQuery({
    queryKey: ["events", "list", filter],
    queryFn: ({ pageParam }) =>
      readEvents({ limit: 100, ...filter, ...(pageParam !== "" && { before_id: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: ({ events, next_page_uri }) =>
      next_page_uri === null ? undefined : events.at(-1)?.event_id,
  });

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
    // More often while something is about to change.
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ delivery: { state } }) => state === "retrying" || state === "delivering") ? 2_500 : 10_000,
  });

export const useDeadLetters = (id: string) =>
  useQuery({
    queryKey: ["destinations", id, "dead"],
    queryFn: () =>
      all((query) =>
        bodyOf(api.GET("/event_destinations/{id}/dead_letters", { params: { path: { id }, query } })),
      ),
  });

export const useKeys = (isAdmin: boolean) =>
  useQuery({
    queryKey: ["keys", isAdmin],
    queryFn: () =>
      all((query) =>
        bodyOf(
          isAdmin
            ? api.GET("/api_keys", { params: { query } })
            : api.GET("/users/me/keys", { params: { query } }),
        ),
      ),
  });

export const useBots = (isEnabled: boolean) =>
  useQuery({
    queryKey: ["bots"],
    enabled: isEnabled,
    queryFn: () => all((query) => bodyOf(api.GET("/bot_users", { params: { query } }))),
  });

export const usePeople = () =>
  useQuery({
    queryKey: ["people"],
    queryFn: () => all((query) => bodyOf(api.GET("/users", { params: { query } }))),
  });
