import { useState } from "preact/hooks";
import { readObject } from "../api/client.ts";
import { mayPlan } from "../api/session.ts";
import { keep } from "../changes/pending.ts";
import { type Copies, curlOf, yamlOf } from "../facts/copies.ts";
import { useBrief } from "./command.tsx";
import { FormDialog } from "./dialog.tsx";
import { Icon } from "./icons.tsx";
import { Menu, type MenuItem } from "./menu.tsx";

/** The menu of an object: what can be copied, and its deletion. */
export function ObjectMenu(props: {
  id: string;
  /** Of the object, in the API. */
  path: string;
  title: string;
  copies?: Copies;
  /** What else can be done. */
  more?: MenuItem[];
  /** What else its deletion does. */
  effect?: string;
  /** In a row of a list. */
  isSmall?: true;
}) {
  const { id, path, title, copies } = props;
  const [isDeleting, setDeleting] = useState(false);
  const [outcome, setOutcome] = useBrief();
  const copy = (what: string, text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome(`Copied the ${what}`),
      () => setOutcome("The browser did not allow it"),
    );
  };
  const close = (): void => setDeleting(false);
  return (
    <>
      <span class="meta" role="status">
        {outcome}
      </span>
      <Menu
        label={props.isSmall ? `More about ${title}` : "More"}
        face={<Icon name="more" />}
        class={props.isSmall ? "btn q s icon" : "btn icon"}
        items={[
          ...(props.more ?? []),
          ...(copies
            ? [
                { text: "Copy as a file", run: () => copy("file", yamlOf(copies.file)) },
                {
                  text: "Copy as a request",
                  run: () => copy("request", curlOf(copies.request, location.origin)),
                },
              ]
            : []),
          { text: "Copy the id", note: id, run: () => copy("id", id) },
          ...(mayPlan.value ? [{ text: "Delete…", isBad: true as const, run: () => setDeleting(true) }] : []),
        ]}
      />
      {isDeleting && (
        <FormDialog
          title={`Delete ${title}?`}
          verb="Delete"
          isDangerous
          close={close}
          submit={async () => {
            const { object: base, etag } = await readObject(path);
            keep(path, { type: "delete", path, title, etag, base });
            close();
          }}
        >
          <p class="t2">It is deleted when you apply your changes. The review shows who that affects.</p>
          {props.effect && <p>{props.effect}</p>}
        </FormDialog>
      )}
    </>
  );
}
