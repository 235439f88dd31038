import { setAt } from "../../../packages/model/src/json.ts";
import { secretPaths } from "../../delivery/targets.ts";
import type { TransactionOperation } from "../operations.ts";

/** An operation without its secrets: those of webhook verification, and those of the targets of event destinations. */
export function withoutSecrets(operation: TransactionOperation): TransactionOperation {
  const { body } = operation;
  if (body === undefined) return operation;
  // Only a webhook verification has a secret of its own.
  const { secret: _, target, webhook_verification, ...rest } = body;
  const copies = structuredClone({ target, webhook_verification });
  for (const path of secretPaths) setAt(copies, path.replace("$", "$.target"), undefined);
  setAt(copies, "$.webhook_verification.secret", undefined);
  return { ...operation, body: { ...rest, ...copies } };
}
