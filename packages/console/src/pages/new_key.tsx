import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import { useCreation } from "../api/creation.ts";
import { now } from "../facts/amounts.ts";
import { Command } from "../widgets/command.tsx";
import { Dialog, DialogFooter, FormDialog } from "../widgets/dialog.tsx";
import { Choice, Segments, Text } from "../widgets/inputs.tsx";
import { Notice } from "../widgets/page.tsx";
import { utc } from "../widgets/text.tsx";

const roles = {
  viewer: "Reads the configuration, its changes and how it is served, but not keys, people or plans",
  planner: "A viewer that also reads plans and proposes changes",
  editor: "A planner that also applies changes",
  admin: "An editor that also manages keys and people",
  agent: "Reads the configuration, and reports what is served",
  metrics: "Reads metrics",
} as const;

type Role = keyof typeof roles;
type PersonalRole = Exclude<Role, "agent" | "metrics">;

const isPersonal = (role: Role): role is PersonalRole => role !== "agent" && role !== "metrics";
const all = ["viewer", "planner", "editor", "admin", "agent", "metrics"] as const;

const DAY = 86_400_000;
const ends = [
  { value: "30", text: "30 days" },
  { value: "90", text: "90 days" },
  { value: "365", text: "1 year" },
  { value: "date", text: "On a date…" },
  { value: "never", text: "Never" },
];

/** Creates a key. Its token is shown only in this dialog, which asks the user to copy it before closing. */
export function NewKey(props: { isAdmin: boolean; bots: Schemas["BotUser"][]; close: () => void }) {
  const { isAdmin, bots, close } = props;
  const [description, setDescription] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [owner, setOwner] = useState("");
  const [end, setEnd] = useState("90");
  const [date, setDate] = useState("");
  // Empty if it is lost.
  const [token, setToken] = useState<string>();
  const [start] = useState(now);
  const headersFor = useCreation();
  const days = Number(end);
  const at =
    end === "date"
      ? date && `${date}T00:00:00Z`
      : Number.isNaN(days)
        ? ""
        : new Date(start + days * DAY).toISOString().replace(/\.\d+/, "");
  const make = async (): Promise<void> => {
    const common = { description, ...(at !== "" && { expires_at: at }) };
    const body = { ...common, role, ...(owner !== "" && { owner_id: owner }) };
    const headers = headersFor(body);
    const key = isAdmin
      ? api.POST("/api_keys", { headers, body })
      : api.POST("/users/me/keys", {
          headers,
          body: { ...common, role: isPersonal(role) ? role : "viewer" },
        });
    setToken((await bodyOf(key)).token ?? "");
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
  };
  if (token === "") return <Lost close={close} />;
  if (token !== undefined) return <Shown token={token} close={close} />;
  return (
    <FormDialog title="New key" verb="Create the key" close={close} submit={make}>
      <Text label="What is it for?" name="description" required value={description} set={setDescription} />
      <div class="fields">
        <Choice
          label="Role"
          name="role"
          hint={roles[role]}
          value={role}
          options={all.filter((one) => isAdmin || isPersonal(one)).map((value) => ({ value, text: value }))}
          set={(value) => setRole(all.find((one) => one === value) ?? "viewer")}
        />
        {isAdmin && (
          <Choice
            label="Belongs to"
            name="owner_id"
            hint="It works only while its bot is on"
            value={owner}
            options={[
              { value: "", text: "nobody" },
              ...bots.map(({ id, name }) => ({ value: id, text: name })),
            ]}
            set={setOwner}
          />
        )}
      </div>
      <Segments
        label="Expires"
        value={end}
        options={ends}
        set={setEnd}
        hint={at === "" ? undefined : `On ${utc(at)}`}
      />
      {end === "date" && (
        <Text label="Date" name="expires_at" type="date" required value={date} set={setDate} />
      )}
    </FormDialog>
  );
}

function Shown({ token, close }: { token: string; close: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const finish = (): void => (isCopied ? close() : setAsking(true));
  return (
    <Dialog title="The new key" close={finish} isUnsaved={!isCopied}>
      <div class="form inside-dialog">
        <p>It is shown only once. Copy it to where you need it.</p>
        <Command text={token} label="Copy the key" onCopied={() => setCopied(true)} />
        {isAsking && !isCopied && (
          <Notice tone="warn" role="alert">
            Copy the key first. It is shown only once.
          </Notice>
        )}
      </div>
      <DialogFooter>
        {isAsking && !isCopied && (
          <button type="button" class="btn" onClick={close}>
            I have copied it
          </button>
        )}
        <button type="button" class="btn p" onClick={finish}>
          Done
        </button>
      </DialogFooter>
    </Dialog>
  );
}

/** Says that a key was created by an attempt whose response was lost, with the token. */
const Lost = ({ close }: { close: () => void }) => (
  <Dialog title="The token is lost" close={close}>
    <p class="inside-dialog">
      An earlier attempt created the key, but its response did not arrive. The token is not shown again.
      Delete the key, and create another one.
    </p>
    <DialogFooter>
      <button type="button" class="btn" onClick={close}>
        Close
      </button>
    </DialogFooter>
  </Dialog>
);
