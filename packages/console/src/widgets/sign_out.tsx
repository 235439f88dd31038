import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { signOut } from "../api/session.ts";
import { unfinished } from "../base/kept.ts";
import { pendingCount } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { FormDialog } from "./dialog.tsx";

/** Signs out. If changes or unfinished input would be lost, asks first. @param children receives the function that starts it */
export function SignOut({ children }: { children: (start: () => void) => ComponentChildren }) {
  const [isAsking, setAsking] = useState(false);
  const lost = (): string =>
    [
      ...(pendingCount.value > 0 ? [`${count(pendingCount.value, "change")} not applied yet`] : []),
      ...unfinished(),
    ].join(" and ");
  return (
    <>
      {children(() => void (lost() ? setAsking(true) : signOut()))}
      {isAsking && (
        <FormDialog
          title="Sign out?"
          verb="Sign out"
          isDangerous
          close={() => setAsking(false)}
          submit={signOut}
        >
          <p class="t2">Signing out discards {lost()}.</p>
        </FormDialog>
      )}
    </>
  );
}
