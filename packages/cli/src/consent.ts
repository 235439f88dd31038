import type { Call } from "./args.ts";
import { UserError } from "./errors.ts";
import { isConfirmed } from "./output.ts";
import type { Warning } from "./warnings.ts";

/**
 * Asks for confirmation: of each warning that needs it and is not in --accept, and then of everything. --yes answers only the last
 * question.
 *
 * @throws UserError unless everything is confirmed
 */
export async function requireConsent(
  call: Call,
  warnings: readonly Warning[],
  question: string,
): Promise<void> {
  const open = warnings.filter(({ code, confirm }) => confirm && !call.codes.includes(code));
  const isAgreed = call.has("yes");
  if (isAgreed || !process.stdin.isTTY) {
    if (open.length > 0) throw unconfirmed(open, isAgreed);
    if (isAgreed) return;
    throw new UserError(
      "Nothing was changed. Not a terminal, so cannot ask for confirmation. Pass --yes to apply without asking.",
    );
  }
  const questions = [...open.map(({ code }) => `Accept ${code}?`), question];
  for (const each of questions) if (!(await isConfirmed(each))) throw new UserError("Nothing was changed.");
}

function unconfirmed(open: readonly Warning[], isAgreed: boolean): UserError {
  const [these, them] = open.length === 1 ? ["This warning has", "it"] : ["These warnings have", "them"];
  const options = `--accept ${open.map(({ code }) => code).join(",")}`;
  return new UserError([
    `Nothing was changed. ${these} to be confirmed:`,
    ...open.map(({ code, msg }) => `  ${code}: ${msg}`),
    isAgreed
      ? `--yes does not confirm ${them}. To apply this all the same, add ${options}`
      : `Not a terminal, so cannot ask. To apply this all the same, add --yes ${options}`,
  ]);
}
