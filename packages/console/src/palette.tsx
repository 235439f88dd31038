import { useMemo, useState } from "preact/hooks";
import { hrefOf, useAllNames } from "./api/names.ts";
import { useEdges } from "./api/queries.ts";
import { identity } from "./api/session.ts";
import { edgeLink } from "./base/links.ts";
import { go, link } from "./base/routes.ts";
import { Dialog } from "./widgets/dialog.tsx";
import { paletteOpen } from "./widgets/keyboard.ts";
import { linkTo, navigation } from "./widgets/navigation.ts";

/** Something to go to. */
interface Goal {
  key: string;
  text: string;
  kind: string;
  href: string;
}

const MOST = 12;

/** Finds pages and objects by name or id, and asks who gets in for a pasted address. */
export function Palette() {
  return paletteOpen.value ? <Open close={() => (paletteOpen.value = false)} /> : null;
}

function Open({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const goals = useGoals(text.trim());
  const active = goals[Math.min(at, goals.length - 1)];
  const choose = (goal: Goal | undefined): void => {
    if (!goal) return;
    close();
    if (goal.href.startsWith("#")) go(goal.href);
    else location.assign(goal.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt((at + by + goals.length) % Math.max(1, goals.length));
  };
  return (
    <Dialog title="Go to" close={close} class="large">
      <form
        class="inside-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          choose(active);
        }}
      >
        <input
          class="input"
          role="combobox"
          aria-label="Page, name, id or address"
          aria-expanded="true"
          aria-controls="goals"
          aria-activedescendant={active && `goal-${active.key}`}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </form>
      <div id="goals" role="listbox" aria-label="Results" class="goals inside-dialog">
        {goals.map((goal) => (
          <div
            key={goal.key}
            id={`goal-${goal.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={goal === active}
            onClick={() => choose(goal)}
            onKeyDown={(event) => event.key === "Enter" && choose(goal)}
          >
            <bdi class="cut">{goal.text}</bdi>
            <span class="meta">{goal.kind}</span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p class="nothing">Nothing has this name or id.</p>}
    </Dialog>
  );
}

/** What a text can mean. */
function useGoals(text: string): Goal[] {
  const names = useAllNames();
  const edges = useEdges().data;
  const role = identity.value?.role ?? "";
  const all = useMemo(() => {
    const pages = navigation(role)
      .flatMap((group) => group.pages)
      .map(({ name, text }) => ({ key: `page-${name}`, text, kind: "page", href: linkTo(name) }));
    const objects = [...names].flatMap(([id, { name, kind, href }]) =>
      href === undefined ? [] : [{ key: id, text: name, kind, href }],
    );
    const hosts = (edges ?? []).flatMap(({ id, hostports }) =>
      (hostports ?? []).map((host) => ({
        key: `${id} ${host}`,
        text: host,
        kind: "host",
        href: edgeLink(id),
      })),
    );
    return [...pages, ...objects, ...hosts];
  }, [names, role, edges]);
  const wanted = text.toLowerCase();
  const found = all
    .filter(({ key, text }) => text.toLowerCase().includes(wanted) || key.toLowerCase() === wanted)
    .slice(0, MOST);
  if (/^[\da-f]*[.:][\da-f.:]+$/i.test(text))
    found.unshift({
      key: "ip",
      text: `Who gets in from ${text}?`,
      kind: "address",
      href: link("", undefined, { ip: text }),
    });
  const href = /^\w+_\w{20,}$/.test(text) ? hrefOf(text) : undefined;
  if (href !== undefined && found.length === 0) found.push({ key: "id", text, kind: "id", href });
  return found;
}
