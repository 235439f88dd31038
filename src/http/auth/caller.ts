import type { Role } from "../../roles.ts";

/** Who sends a request. */
export interface Caller {
  /** The key's id, or `root` for the operator's key, which is no row. */
  keyId: string;
  role: Role;
  /** The bot that owns the key; null for the root key and for a key that no bot owns. */
  ownerId: string | null;
  /** When the key stops working, RFC 3339; null for never. */
  expiresAt: string | null;
  /** Until when this is known, in milliseconds since the epoch: past it, the key must be looked up again. */
  knownUntil: number;
  /** How many keys had been revoked on this isolate by then. */
  revocations: number;
}

/** The `keyId` of the operator's key. */
export const ROOT = "root";
