import { computed, signal } from "@preact/signals";
import { api, bodyOf, done, noteSession, type Schemas } from "./client.ts";
import { RequestFailure } from "./errors.ts";

/*
 * Who is signed in, and what that person may do.
 */

export type Identity = Schemas["Identity"];

/** Who is signed in; null if nobody is; undefined while that is not known. */
export const identity = signal<Identity | null | undefined>(undefined);

const ranks = { agent: 0, metrics: 0, viewer: 1, planner: 2, editor: 3, admin: 4 } as const;

const mayAs = (role: keyof typeof ranks) =>
  computed(() => ranks[identity.value?.role ?? "agent"] >= ranks[role]);

/** May make plans. */
export const mayPlan = mayAs("planner");
/** May apply plans. */
export const mayApply = mayAs("editor");
/** May manage keys and people. */
export const mayAdminister = mayAs("admin");

/** The ways to sign in. */
export const signInMethods = { queryKey: ["methods"], queryFn: () => bodyOf(api.GET("/auth/methods")) };

/** Asks the service who is signed in. */
export async function whoAmI(): Promise<void> {
  try {
    identity.value = await bodyOf(api.GET("/whoami"));
    noteSession(true);
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.status !== 401) throw error;
    identity.value = null;
  }
}

/** Exchanges a key for a session. The key is sent once and not kept. @throws {@link RequestFailure} */
export async function signInWithKey(token: string): Promise<void> {
  await done(api.POST("/auth/key", { body: { token } }));
  noteSession(true);
  await whoAmI();
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await done(api.DELETE("/auth/session"));
  noteSession(false);
  sessionStorage.clear();
  location.assign("/console");
}
