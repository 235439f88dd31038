import type { components, paths } from "edge-configuration-client";
import type { Client } from "openapi-fetch";

/*
 * How the seed creates objects: each is found by its seed name, or created.
 */

/** A result of the client: a body, or an error. */
export interface Result<T> {
  data?: T;
  error?: components["schemas"]["Error"];
  response: Response;
}

/** The body of a successful response. @throws an error with the service's error otherwise */
export function bodyOf<T>({ data, error, response }: Result<T>): T {
  if (data === undefined)
    throw new Error(`${response.url} returned ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

export interface Item {
  id: string;
  metadata?: string;
}

interface Page {
  next_page_uri: string | null;
}

type Query = { before_id?: string };

/** Every object of a collection, page by page. */
export async function all<P extends Page, T extends Item>(
  list: (query: Query) => Promise<Result<P>>,
  itemsOf: (page: P) => T[],
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = bodyOf(await list(last ? { before_id: last.id } : {}));
    items.push(...itemsOf(page));
    if (page.next_page_uri === null) return items;
  }
}

/** How many objects and modules were created, and how many existed. */
export const counts = { created: 0, present: 0 };

/** Prints a line for an object or module. */
export function report(isNew: boolean, what: string): void {
  counts[isNew ? "created" : "present"] += 1;
  console.info(`${isNew ? "created" : "present"}  ${what}`);
}

/** Finds an object in `existing`, or creates one. */
export async function ensure<T extends Item>(
  what: string,
  existing: T[],
  isMatch: (item: T) => boolean,
  create: () => Promise<Result<T>>,
): Promise<T> {
  const found = existing.find(isMatch);
  const item = found ?? bodyOf(await create());
  report(!found, `${item.id}  ${what}`);
  return item;
}

/**
 * Returns a function that finds or creates objects of one collection by their seed name, which is stored in `metadata`.
 */
export const named =
  <Body, T extends Item>(
    what: string,
    existing: T[],
    create: (body: Body & { metadata: string }) => Promise<Result<T>>,
  ) =>
  (name: string, body: Body): Promise<T> => {
    const metadata = JSON.stringify({ seed: name });
    return ensure(
      `${what}  ${name}`,
      existing,
      (item) => item.metadata === metadata,
      () => create({ ...body, metadata }),
    );
  };

export type Api = Client<paths>;
export type Body<Name extends keyof components["schemas"]> = components["schemas"][Name];
