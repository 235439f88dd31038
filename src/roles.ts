/**
 * The roles of keys: `viewer` reads, `editor` also writes configuration, `admin` also manages bots and keys. `agent` is a
 * separate role: it may only read the snapshot and report an agent's status.
 */
export const roles = ["viewer", "editor", "admin", "agent"] as const;

export type Role = (typeof roles)[number];

/** The roles that may call operations of each sort. */
const callers = {
  viewer: ["viewer", "editor", "admin"],
  "viewer or agent": roles,
  editor: ["editor", "admin"],
  admin: ["admin"],
  agent: ["agent", "admin"],
} as const satisfies Record<string, readonly Role[]>;

/** The role that it takes to call an operation. */
export type NeededRole = keyof typeof callers;

/** Who may call an operation: anyone, or callers with a role that includes this one. */
export type Access = "public" | NeededRole;

/** True if `role` includes everything that `needed` allows. */
export const reaches = (role: Role, needed: NeededRole): boolean =>
  callers[needed].some((allowed) => allowed === role);
