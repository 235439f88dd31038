import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { isConfirmed } from "./output.ts";

/** Asks for confirmation. @throws UserError unless the user confirms, or --yes is given */
export async function requireConsent(call: Call, question: string): Promise<void> {
  if (call.has("yes")) return;
  if (!process.stdin.isTTY)
    throw new UserError(
      "Nothing was changed. Not a terminal, so cannot ask for confirmation. Pass --yes to apply without asking.",
    );
  if (!(await isConfirmed(question))) throw new UserError("Nothing was changed.");
}
