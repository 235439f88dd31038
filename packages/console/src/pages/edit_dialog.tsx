import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Fields, readObject, type TaggedObject } from "../api/client.ts";
import { pending } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Problem, Skeleton } from "../widgets/page.tsx";

/** A dialog that reads an object, unless a change of it is pending. Its form gets the object and the changed fields. */
export function EditDialog(props: {
  path: string;
  title: string;
  close: () => void;
  children: (known: TaggedObject, start: Fields) => ComponentChildren;
}) {
  const { path, title, close, children } = props;
  const [known, setKnown] = useState<TaggedObject>();
  const [error, setError] = useState<unknown>();
  const change = pending.value[path];
  const mine = change?.type === "update" ? change : undefined;
  useEffect(() => {
    if (mine) setKnown({ object: mine.base, etag: mine.etag });
    else readObject(path).then(setKnown, setError);
  }, []);
  return (
    <Dialog title={title} close={close} class="large">
      {error !== undefined && <Problem error={error} />}
      {!known && error === undefined && <Skeleton />}
      {known && children(known, mine?.body ?? {})}
    </Dialog>
  );
}
