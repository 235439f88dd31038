import type { Role } from "../../roles.ts";

/** The authenticated sender of a request. */
export interface Caller {
  /** The key's id, or `root` for the operator's key, which has no row. */
  keyId: string;
  role: Role;
  /** What people call it: the name of its bot, otherwise the description of its key. */
  subject: string;
  /** The bot that owns the key; null for the root key and for a key without an owner. */
  ownerId: string | null;
  /** When the key expires, RFC 3339; null for never. */
  expiresAt: string | null;
  /** When this expires, in milliseconds since the Unix epoch: after that, the key must be looked up again. */
  knownUntil: number;
  /** How many keys had been revoked on this isolate by then. */
  revocations: number;
}

/** The `keyId` of the operator's key. */
export const ROOT = "root";
