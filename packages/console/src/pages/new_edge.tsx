import { useState } from "preact/hooks";
import { nameOf } from "../api/names.ts";
import { useBackends } from "../api/queries.ts";
import { keep } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Choice, Text } from "../widgets/inputs.tsx";

const kinds = ["https", "tls", "tcp"].map((value) => ({ value, text: value.toUpperCase() }));

/** Adds an edge to the pending changes. */
export function NewEdge({ close }: { close: () => void }) {
  const [kind, setKind] = useState("https");
  const [hostports, setHostports] = useState("");
  const [description, setDescription] = useState("");
  const [backend, setBackend] = useState("");
  const backends = useBackends().data ?? [];
  const submit = (event: Event): void => {
    event.preventDefault();
    const path = `/edges/${kind}`;
    const list = hostports.split(/[\s,]+/).filter(Boolean);
    const to = backend !== "" && kind !== "https" ? { backend: { backend_id: backend } } : {};
    keep(`${path} ${Date.now()}`, {
      type: "create",
      path,
      title: description || hostports,
      body: { description, hostports: list, ...to },
    });
    close();
  };
  return (
    <Dialog title="New edge" close={close}>
      <form class="form" onSubmit={submit}>
        <Text
          label="Hosts and ports"
          isMono
          required
          placeholder="www.example.com:443"
          value={hostports}
          set={setHostports}
        />
        <Choice label="Kind" value={kind} options={kinds} set={setKind} />
        <Text label="Description" value={description} set={setDescription} />
        {kind !== "https" && (
          <Choice
            label="Goes to"
            value={backend}
            options={[
              { value: "", text: "no backend yet" },
              ...backends.map((one) => ({ value: one.id, text: nameOf(one) })),
            ]}
            set={setBackend}
          />
        )}
        <p class="t3 sm">The edge is created when you apply your changes.</p>
        <button type="submit" class="btn p">
          Add
        </button>
      </form>
    </Dialog>
  );
}
