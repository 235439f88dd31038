import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { Choice, Text } from "../widgets/inputs.tsx";
import { Problem } from "../widgets/page.tsx";

const personRoles = ["viewer", "planner", "editor", "admin"] as const;
const roles = [...personRoles, "agent", "metrics"] as const;

/** Makes a key. Its token is shown once, in this dialog, which closes only after it was copied. */
export function NewKey(props: { isAdmin: boolean; bots: Schemas["BotUser"][]; close: () => void }) {
  const [description, setDescription] = useState("");
  const [role, setRole] = useState("viewer");
  const [owner, setOwner] = useState("");
  const [error, setError] = useState<unknown>();
  const [token, setToken] = useState("");
  const make = async (): Promise<void> => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    try {
      setError(undefined);
      const key = props.isAdmin
        ? api.POST("/api_keys", {
            headers,
            body: {
              description,
              role: roles.find((one) => one === role) ?? "viewer",
              ...(owner !== "" && { owner_id: owner }),
            },
          })
        : api.POST("/users/me/keys", {
            headers,
            body: { description, role: personRoles.find((one) => one === role) ?? "viewer" },
          });
      setToken((await bodyOf(key)).token ?? "");
      await queryClient.invalidateQueries({ queryKey: ["keys"] });
    } catch (error) {
      setError(error);
    }
  };
  if (token !== "") return <Shown token={token} close={props.close} />;
  const options = (props.isAdmin ? roles : personRoles).map((value) => ({ value, text: value }));
  return (
    <Dialog title="New key" close={props.close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Text label="Description" value={description} set={setDescription} />
        <Choice label="Role" value={role} options={options} set={setRole} />
        {props.isAdmin && (
          <Choice
            label="Owner"
            value={owner}
            options={[
              { value: "", text: "none" },
              ...props.bots.map(({ id, name }) => ({ value: id, text: name })),
            ]}
            set={setOwner}
          />
        )}
        <p class="t3 sm">The key works immediately. Its token is shown only once.</p>
        {error !== undefined && <Problem error={error} />}
        <button type="submit" class="btn p">
          Make the key
        </button>
      </form>
    </Dialog>
  );
}

function Shown({ token, close }: { token: string; close: () => void }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title="The key's token">
      <div class="form">
        <p>It is shown only now. Copy it to where it is needed.</p>
        <input
          class="input mono"
          aria-label="Token"
          readOnly
          value={token}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          class="btn"
          onClick={() => {
            navigator.clipboard.writeText(token).then(
              () => setCopied(true),
              () => setCopied(true),
            );
          }}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
        <button type="button" class="btn p" disabled={!isCopied} onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
