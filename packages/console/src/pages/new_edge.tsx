import { useState } from "preact/hooks";
import { nameOf } from "../api/names.ts";
import { useBackends } from "../api/queries.ts";
import { keep } from "../changes/pending.ts";
import { Dialog } from "../widgets/dialog.tsx";

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
        <label htmlFor="edge-hostports">Hosts and ports</label>
        <input
          id="edge-hostports"
          class="input mono"
          required
          placeholder="www.example.com:443"
          value={hostports}
          onInput={(event) => setHostports(event.currentTarget.value)}
        />
        <label htmlFor="edge-kind">Kind</label>
        <select
          id="edge-kind"
          class="input"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        >
          <option value="https">HTTPS</option>
          <option value="tls">TLS</option>
          <option value="tcp">TCP</option>
        </select>
        <label htmlFor="edge-description">Description</label>
        <input
          id="edge-description"
          class="input"
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
        {kind !== "https" && (
          <>
            <label htmlFor="edge-backend">Goes to</label>
            <select
              id="edge-backend"
              class="input"
              value={backend}
              onChange={(event) => setBackend(event.currentTarget.value)}
            >
              <option value="">no backend yet</option>
              {backends.map((one) => (
                <option key={one.id} value={one.id}>
                  {nameOf(one)}
                </option>
              ))}
            </select>
          </>
        )}
        <p class="t3 sm">The edge is created when you apply your changes.</p>
        <button type="submit" class="btn p">
          Add
        </button>
      </form>
    </Dialog>
  );
}
