import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./page.tsx";

/** A button for something that happens at once, after a dialog that names the effect. */
export function Action(props: {
  label: string;
  effect: ComponentChildren;
  run: () => Promise<unknown>;
  /** What to read again afterwards. */
  affects: string;
  isDangerous?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await props.run();
      setOpen(false);
      await queryClient.invalidateQueries({ queryKey: [props.affects] });
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  const tone = props.isDangerous ? "danger" : "";
  return (
    <>
      <button type="button" class={`btn sm ${tone}`} onClick={() => setOpen(true)}>
        {props.label}
      </button>
      {isOpen && (
        <Dialog title={props.label} close={() => setOpen(false)}>
          <div class="form">
            <p>{props.effect}</p>
            {error !== undefined && <Problem error={error} />}
            <button
              type="button"
              class={`btn ${tone || "p"}`}
              disabled={isBusy}
              onClick={() => void confirm()}
            >
              {props.label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
