/*
 * Code that the floor and the peers share. They create ids and times in the cheapest way, as long as the service's.
 */

/** A Worker that handles requests. */
export interface Subject<Env> {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
}

/** A random id: a prefix and 27 characters. */
export const newId = (prefix: string): string => prefix + crypto.randomUUID().replaceAll("-", "").slice(5);

/** The current time, without fractions of a second. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** The id of the only API key: these subjects do not look up keys. */
export const KEY_ID = `ak_${"0".repeat(27)}`;
