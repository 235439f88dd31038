/** What a key may do: `viewer` reads, `editor` also writes configuration, `admin` also manages bots and keys. */
export const roles = ["viewer", "editor", "admin"] as const;

export type Role = (typeof roles)[number];

/** Who may call an operation: anyone, or callers with at least this role. */
export type Access = "public" | Role;

/** True if `role` includes everything that `needed` allows. */
export const reaches = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
