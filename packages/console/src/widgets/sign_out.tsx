import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { signOut } from "../api/session.ts";
import { pendingCount } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { FormDialog } from "./dialog.tsx";

/** Signs out. If changes would be lost, asks first. @param children receives the function that starts it */
export function SignOut({ children }: { children: (start: () => void) => ComponentChildren }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {children(() => void (pendingCount.value > 0 ? setAsking(true) : signOut()))}
      {isAsking && (
        <FormDialog
          title="Sign out?"
          verb="Sign out"
          isDangerous
          close={() => setAsking(false)}
          submit={signOut}
        >
          <p class="t2">{count(pendingCount.value, "change")} not applied yet will be discarded.</p>
        </FormDialog>
      )}
    </>
  );
}
