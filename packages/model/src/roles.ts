/**
 * The roles of keys: `viewer` reads, `planner` also makes plans, `editor` also writes configuration, `admin` also manages bots and
 * keys. Two roles are separate from these: `agent` may only read the snapshot and report an agent's status, and `metrics`
 * may only read metrics. Every role may ask who it is.
 */
export const roles = ["viewer", "planner", "editor", "admin", "agent", "metrics"] as const;

export type Role = (typeof roles)[number];

/** The roles that may call operations of each sort. */
const callers = {
  viewer: ["viewer", "planner", "editor", "admin"],
  "viewer or agent": ["viewer", "planner", "editor", "admin", "agent"],
  planner: ["planner", "editor", "admin"],
  editor: ["editor", "admin"],
  admin: ["admin"],
  agent: ["agent", "admin"],
  "viewer or metrics": ["viewer", "planner", "editor", "admin", "metrics"],
  any: ["viewer", "planner", "editor", "admin", "agent", "metrics"],
} as const satisfies Record<string, readonly Role[]>;

/** The role that it takes to call an operation. */
export type NeededRole = keyof typeof callers;

/** Who may call an operation: anyone, or callers with a role that includes this one. */
export type Access = "public" | NeededRole;

/** True if `role` includes everything that `needed` allows. */
export const reaches = (role: Role, needed: NeededRole): boolean =>
  callers[needed].some((allowed) => allowed === role);

/** The roles that a person can have, from the least to the greatest. */
export const peopleRoles = ["viewer", "planner", "editor", "admin"] as const;

export type PersonRole = (typeof peopleRoles)[number];

/** True for a role that people can have. */
export const isPersonRole = (role: Role): role is PersonRole => rank(role) !== -1;

const rank = (role: Role): number => peopleRoles.findIndex((other) => other === role);

/** The lesser of two roles; a role that people cannot have is the least of all. */
export const lesser = (a: Role, b: Role): Role => (rank(a) <= rank(b) ? a : b);

/** True for operations that only accept keys: those that agents and monitoring call, which have no browser. */
export const isForPrograms = (access: Access | undefined): boolean =>
  access !== undefined &&
  access !== "public" &&
  access !== "any" &&
  callers[access].some((role) => rank(role) === -1);
