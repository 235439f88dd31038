import "./common.ts";
import { useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import { api, bodyOf, done, type Schemas } from "../api/client.ts";
import { useCreation } from "../api/creation.ts";
import { nameOf } from "../api/names.ts";
import { useBots, useKeys } from "../api/operation_queries.ts";
import { identity, mayAdminister } from "../api/session.ts";
import { count, now } from "../facts/amounts.ts";
import type { StateTone } from "../facts/tones.ts";
import { Action } from "../widgets/action.tsx";
import { Dialog, FormDialog } from "../widgets/dialog.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Text } from "../widgets/inputs.tsx";
import { List } from "../widgets/list.tsx";
import { Empty, Loaded, None, NotAllowed, Page, Panel, type Queried } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import { type Column, Table } from "../widgets/table.tsx";
import { Time } from "../widgets/text.tsx";
import { NewKey } from "./new_key.tsx";

type Key = Schemas["ApiKey"];
type Bot = Schemas["BotUser"];

const DAY = 86_400_000;
/** A key that ends within this many days is one to renew. */
const SOON = 14;

/** API keys and bot users for admins; a person's own keys for everybody else who signed in as a person. */
export function Keys() {
  const isAdmin = mayAdminister.value;
  const isPerson = identity.value?.kind === "user";
  if (!isAdmin && !isPerson) return <NotAllowed role="admin" />;
  return <KeysView isAdmin={isAdmin} />;
}

function KeysView({ isAdmin }: { isAdmin: boolean }) {
  const keys = useKeys(isAdmin);
  const bots = useBots(isAdmin);
  const [isNew, setNew] = useState(false);
  const [isNewBot, setNewBot] = useState(false);
  const remove = (id: string): Promise<unknown> => {
    const params = { path: { id } };
    return done(
      isAdmin ? api.DELETE("/api_keys/{id}", { params }) : api.DELETE("/users/me/keys/{id}", { params }),
    );
  };
  const ownerOf = ({ owner_id: owner = "" }: Key): string =>
    owner.startsWith("bot_")
      ? (bots.data?.find(({ id }) => id === owner)?.name ?? "a bot")
      : owner && "a person";
  const [ending, unused, never] = ["Ends soon", "Unused", "Never used"].map(
    (state) => keys.data?.filter((key) => stateOf(key).text === state).length ?? 0,
  );
  const actions = (
    <>
      {isAdmin && (
        <button type="button" class="btn" onClick={() => setNewBot(true)}>
          New bot
        </button>
      )}
      <button type="button" class="btn p" data-key="n" onClick={() => setNew(true)}>
        <Icon name="add" />
        New key <kbd aria-hidden="true">N</kbd>
      </button>
    </>
  );
  return (
    <Page
      title={isAdmin ? "Keys and bots" : "My keys"}
      facts={[
        keys.data && count(keys.data.length, "key"),
        ending !== 0 && `${ending} ${ending === 1 ? "ends" : "end"} within ${SOON} days`,
        unused !== 0 && `${unused} not used for 90 days`,
        never !== 0 && `${never} never used`,
      ]}
      actions={actions}
    >
      <List
        title="Keys"
        filter="Name, role, owner or id"
        query={keys}
        columns={columnsFor(ownerOf, remove, isAdmin)}
        keyOf={({ id }) => id}
        textsOf={(key) => [nameOf(key), key.id, key.role, ownerOf(key)]}
        empty={
          <Empty title="No keys yet">Programs, and agents on machines, use a key to call this service.</Empty>
        }
      />
      {isAdmin && (
        <Panel title="Bots" note="programs that keys belong to">
          <Loaded query={bots}>
            {(all) =>
              all.length === 0 ? (
                <None>No bots. A key can belong to a bot, and is deleted with it.</None>
              ) : (
                <Table<Bot> label="Bots" rows={all} keyOf={({ id }) => id} columns={botColumns} />
              )
            }
          </Loaded>
        </Panel>
      )}
      {isNew && <KeyForm isAdmin={isAdmin} bots={bots} close={() => setNew(false)} />}
      {isNewBot && <BotForm close={() => setNewBot(false)} />}
    </Page>
  );
}

/** Makes a key. An admin chooses its owner, so the bots have to be read first. */
function KeyForm(props: { isAdmin: boolean; bots: Queried<Bot[]>; close: () => void }) {
  const { isAdmin, bots, close } = props;
  if (!isAdmin || bots.data) return <NewKey isAdmin={isAdmin} bots={bots.data ?? []} close={close} />;
  return (
    <Dialog title="New key" close={close}>
      <div class="inside-dialog">
        <Loaded query={bots}>{() => null}</Loaded>
      </div>
    </Dialog>
  );
}

function columnsFor(
  ownerOf: (key: Key) => string,
  remove: (id: string) => Promise<unknown>,
  isAdmin: boolean,
): Column<Key>[] {
  return [
    {
      name: "Key",
      width: "minmax(0, 1.4fr)",
      class: "name cut",
      cell: (key) => (
        <span class="line one">
          <span class="av bot" aria-hidden="true">
            {nameOf(key).slice(0, 1)}
          </span>
          <bdi class="cut">{nameOf(key)}</bdi>
        </span>
      ),
    },
    { name: "Role", width: "84px", class: "line2 t2", cell: ({ role }) => role },
    {
      name: "Belongs to",
      width: "minmax(0, 1fr)",
      class: "cut wide t2",
      cell: (key) => <bdi>{ownerOf(key)}</bdi>,
    },
    {
      name: "Last used",
      width: "120px",
      class: "wide t2 cut",
      cell: ({ last_used_at: at }) => (at === undefined ? "never" : <Time at={at} />),
    },
    {
      name: "Expires",
      width: "110px",
      class: "wide t2 cut",
      cell: ({ expires_at: at }) => (at === undefined ? <span class="t3">never</span> : <Time at={at} />),
    },
    {
      name: "State",
      width: "104px",
      class: "st",
      cell: (key) => {
        const { tone, text } = stateOf(key);
        return (
          <State tone={tone} {...(tone === "none" && { sign: "off" })}>
            {text}
          </State>
        );
      },
    },
    {
      name: isAdmin ? "Rename or delete" : "Delete",
      width: isAdmin ? "150px" : "76px",
      isHidden: true,
      class: isAdmin ? "end fig do whole" : "end fig do",
      cell: (key) => (
        <>
          {isAdmin && <RenameKey of={key} />}
          <Action
            label="Delete…"
            of={nameOf(key)}
            title={`Delete the key ${nameOf(key)}?`}
            effect="Requests with it are rejected within 20 seconds."
            affects="keys"
            isDangerous
            run={() => remove(key.id)}
          />
        </>
      ),
    },
  ];
}

function RenameKey({ of: key }: { of: Key }) {
  const [isOpen, setOpen] = useState(false);
  const [description, setDescription] = useState(key.description ?? "");
  const name = nameOf(key);
  const submit = async (): Promise<void> => {
    await bodyOf(api.PATCH("/api_keys/{id}", { params: { path: { id: key.id } }, body: { description } }));
    setOpen(false);
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
  };
  return (
    <>
      <button type="button" class="btn q s" onClick={() => setOpen(true)}>
        Rename<span class="hidden"> {name}</span>
      </button>
      {isOpen && (
        <FormDialog title={`Rename ${name}`} verb="Rename" close={() => setOpen(false)} submit={submit}>
          <Text
            label="What is it for?"
            name="description"
            required
            value={description}
            set={setDescription}
          />
        </FormDialog>
      )}
    </>
  );
}

/** Whether a key is in use, and for how long. */
function stateOf({ expires_at: end, last_used_at: used }: Key): {
  tone: StateTone;
  text: string;
} {
  const left = end === undefined ? Infinity : Date.parse(end) - now();
  if (left < 0) return { tone: "bad", text: "Expired" };
  if (left < SOON * DAY) return { tone: "warn", text: "Ends soon" };
  if (used === undefined) return { tone: "none", text: "Never used" };
  if (now() - Date.parse(used) > 90 * DAY) return { tone: "none", text: "Unused" };
  return { tone: "good", text: "In use" };
}

const botColumns: Column<Bot>[] = [
  {
    name: "Bot",
    width: "minmax(0, 1fr)",
    class: "name cut",
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    name: "State",
    width: "104px",
    class: "st",
    cell: ({ active }) => (
      <State tone={active ? "good" : "none"} {...(!active && { sign: "off" })}>
        {active ? "Active" : "Off"}
      </State>
    ),
  },
  {
    name: "Rename, switch or delete",
    width: "224px",
    isHidden: true,
    class: "end fig do whole",
    cell: (bot) => <BotActions bot={bot} />,
  },
];

function BotActions({ bot }: { bot: Bot }) {
  const { id, name, active } = bot;
  const [isEditing, setEditing] = useState(false);
  const params = { path: { id } };
  return (
    <>
      <button type="button" class="btn q s" onClick={() => setEditing(true)}>
        Rename<span class="hidden"> {name}</span>
      </button>
      <Action
        label={active ? "Switch off" : "Switch on"}
        of={name}
        title={`Switch ${active ? "off" : "on"} ${name}?`}
        effect={
          active ? "Its keys are rejected within 20 seconds." : "Its keys work again within 20 seconds."
        }
        affects="bots"
        run={() => bodyOf(api.PATCH("/bot_users/{id}", { params, body: { active: !active } }))}
      />
      <Action
        label="Delete…"
        of={name}
        title={`Delete ${name}?`}
        effect="Its keys are deleted with it, and are rejected within 20 seconds."
        affects="bots"
        isDangerous
        run={() => done(api.DELETE("/bot_users/{id}", { params }))}
      />
      {isEditing && <BotForm bot={bot} close={() => setEditing(false)} />}
    </>
  );
}

/** Makes a bot, or renames one. */
function BotForm({ bot, close }: { bot?: Bot; close: () => void }) {
  const [name, setName] = useState(bot?.name ?? "");
  const headersFor = useCreation();
  const submit = async (): Promise<void> => {
    await bodyOf(
      bot
        ? api.PATCH("/bot_users/{id}", { params: { path: { id: bot.id } }, body: { name } })
        : api.POST("/bot_users", { headers: headersFor({ name }), body: { name } }),
    );
    close();
    await queryClient.invalidateQueries({ queryKey: ["bots"] });
  };
  return (
    <FormDialog
      title={bot ? `Rename ${bot.name}` : "New bot"}
      verb={bot ? "Rename" : "Create the bot"}
      close={close}
      submit={submit}
    >
      <Text
        label="Name"
        name="name"
        required
        value={name}
        set={setName}
        hint="The program that its keys are for"
      />
    </FormDialog>
  );
}
