import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Notice, Skeleton } from "./page.tsx";

/** A page. @param props.id of what it shows */
export type View = (props: { id: string }) => ComponentChild;

/** A page whose script is loaded when it is first opened. */
export function Lazy({ load, id }: { load: () => Promise<View>; id: string }) {
  const [View, setView] = useState<View>();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    load().then(
      (view) => setView(() => view),
      () => setGone(true),
    );
  }, [load]);
  if (isGone)
    return (
      <Notice
        tone="warn"
        role="alert"
        title="A new version is here"
        actions={
          <button type="button" class="btn s" onClick={() => location.reload()}>
            Reload
          </button>
        }
      >
        Your changes are kept.
      </Notice>
    );
  return View ? <View id={id} /> : <Skeleton />;
}
