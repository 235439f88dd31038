/**
 * What a key may do: `viewer` reads, `planner` also proposes plans, `editor` also writes configuration, `admin` also manages bots and
 * keys. Two roles are separate from these: `agent` may only read the snapshot and report an agent's status, and `metrics`
 * has no operation of its own yet. Every role may ask who it is.
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
  any: ["viewer", "planner", "editor", "admin", "agent", "metrics"],
} as const satisfies Record<string, readonly Role[]>;

/** The role that it takes to call an operation. */
export type NeededRole = keyof typeof callers;

/** Who may call an operation: anyone, or callers with a role that includes this one. */
export type Access = "public" | NeededRole;

/** True if `role` includes everything that `needed` allows. */
export const reaches = (role: Role, needed: NeededRole): boolean =>
  callers[needed].some((allowed) => allowed === role);
