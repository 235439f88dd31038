import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { FormDialog } from "./dialog.tsx";

/** A button for something that happens at once, after a dialog that names the effect. */
export function Action(props: {
  label: string;
  /** The object, where several have this button. */
  of?: string;
  /** The title of the dialog, which names the object. */
  title: string;
  effect: ComponentChildren;
  run: () => Promise<unknown>;
  /** What to read again afterwards. */
  affects: string;
  isDangerous?: boolean;
  class?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class={props.class ?? "btn q s"} onClick={() => setOpen(true)}>
        {props.label}
        {props.of !== undefined && <span class="hidden"> {props.of}</span>}
      </button>
      {isOpen && (
        <FormDialog
          title={props.title}
          verb={props.label.replace("…", "")}
          close={close}
          {...(props.isDangerous && { isDangerous: true })}
          submit={async () => {
            await props.run();
            close();
            await queryClient.invalidateQueries({ queryKey: [props.affects] });
          }}
        >
          <p class="t2">{props.effect}</p>
        </FormDialog>
      )}
    </>
  );
}
