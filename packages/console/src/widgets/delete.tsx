import { readObject } from "../api/client.ts";
import { keep } from "../changes/pending.ts";
import { Action } from "./action.tsx";

/** A button that adds the deletion of an object to the pending changes. */
export const Delete = ({ path, title }: { path: string; title: string }) => (
  <Action
    label="Delete"
    effect={
      <>
        <bdi>{title}</bdi> is deleted when you apply your changes. The review shows what that affects.
      </>
    }
    affects="nothing"
    isDangerous
    run={async () => {
      const { etag } = await readObject(path);
      keep(path, { type: "delete", path, title, etag });
    }}
  />
);
