import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { signOut } from "../api/session.ts";
import { drafts } from "../changes/drafts.ts";
import { pendingCount } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { FormDialog } from "./dialog.tsx";

/** Signs out, and asks first if changes would be lost. @param children gets what starts it */
export function SignOut({ children }: { children: (start: () => void) => ComponentChildren }) {
  const [isAsking, setAsking] = useState(false);
  const leave = (): Promise<void> => {
    drafts.clear();
    return signOut();
  };
  return (
    <>
      {children(() => void (pendingCount.value > 0 ? setAsking(true) : leave()))}
      {isAsking && (
        <FormDialog
          title="Sign out?"
          verb="Sign out"
          isDangerous
          close={() => setAsking(false)}
          submit={leave}
        >
          <p class="t2">{count(pendingCount.value, "change")} not applied yet will be discarded.</p>
        </FormDialog>
      )}
    </>
  );
}
