import { useMemo } from "preact/hooks";
import { connection } from "./api/client.ts";
import { live } from "./api/events.ts";
import { useAgents, useBackends, useEdges, useOpenPlans, usePolicies } from "./api/queries.ts";
import { identity, mayPlan } from "./api/session.ts";
import { place } from "./base/routes.ts";
import { theme } from "./base/theme.ts";
import { isAwaitingApproval } from "./changes/pending.ts";
import { stateOfAgent } from "./facts/agents.ts";
import { causesOf } from "./facts/causes.ts";
import { useEntrances } from "./facts/entrances.ts";
import { Dialog, DialogFooter } from "./widgets/dialog.tsx";
import { Icon } from "./widgets/icons.tsx";
import { Tick } from "./widgets/inputs.tsx";
import { hasLetters, paletteOpen, shortcuts, shortcutsOpen } from "./widgets/keyboard.ts";
import { Menu } from "./widgets/menu.tsx";
import { linkTo, navigation, tabs } from "./widgets/navigation.ts";
import { trail } from "./widgets/page.tsx";
import { SignOut } from "./widgets/sign_out.tsx";
import { Time } from "./widgets/text.tsx";

/*
 * What surrounds every page: the side bar, the top bar, the tabs of a phone.
 */

/** The numbers in the side bar: the number of objects and, in colour, of causes, plans and machines that need attention. */
function useCounts(): Record<string, { number: number | undefined; tone?: string }> {
  const entrances = useEntrances().data;
  const agents = useAgents().data;
  const causes = useMemo(() => causesOf(entrances ?? []), [entrances]);
  return {
    "": { number: causes.length, tone: causes.some(({ kind }) => isBad(kind)) ? "bad" : "warn" },
    edges: { number: useEdges().data?.length },
    policies: { number: usePolicies().data?.length },
    backends: { number: useBackends().data?.length },
    plans: { number: useOpenPlans(mayPlan.value).data?.filter(isAwaitingApproval).length, tone: "warn" },
    agents: {
      number: agents?.filter((agent) => ["warn", "bad"].includes(stateOfAgent(agent).tone)).length,
      tone: "warn",
    },
  };
}

const isBad = (kind: string): boolean => kind === "not served" || kind === "answers 503";

export function SideBar() {
  const counts = useCounts();
  const current = currentPage();
  const { subject = "", role = "" } = identity.value ?? {};
  return (
    <aside class="side">
      <div class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="logo" />
          <path d="M8 10h6l4 12h6M18 10h6" class="logo-line" />
        </svg>
        <div class="grow">
          <b>Edge configuration</b>
          <div class="meta cut">{location.host}</div>
        </div>
      </div>
      <button type="button" class="search" onClick={() => (paletteOpen.value = true)}>
        Search or go to… <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        {navigation(role).map(({ title, pages }) => (
          <div key={title}>
            {title !== "" && <div class="nav-h">{title}</div>}
            {pages.map(({ name, text }) => {
              const { number, tone } = counts[name] ?? {};
              return (
                <a
                  key={name}
                  class="nav"
                  href={linkTo(name)}
                  aria-current={name === current ? "page" : undefined}
                >
                  <Icon name={name} />
                  {text}
                  {number !== undefined && number > 0 && (
                    <i class={tone ?? ""}>{number.toLocaleString("en")}</i>
                  )}
                </a>
              );
            })}
          </div>
        ))}
      </nav>
      <div class="who">
        <span class="av" aria-hidden="true">
          {subject.slice(0, 1)}
        </span>
        <div class="grow">
          <b class="cut">
            <bdi>{subject}</bdi>
          </b>
          <span class="meta">{role}</span>
        </div>
        <Account />
      </div>
    </aside>
  );
}

/** The menu of the person: the theme, the shortcuts, and signing out. */
function Account() {
  const choose = (value: string, text: string) => ({
    text,
    isChosen: theme.value === value,
    run: () => (theme.value = value),
  });
  return (
    <SignOut>
      {(start) => (
        <Menu
          label="Account, theme, sign out"
          face={<Icon name="more" />}
          class="btn q s icon"
          items={[
            { heading: "Theme" },
            choose("system", "System"),
            choose("light", "Light"),
            choose("dark", "Dark"),
            { heading: "Account" },
            { text: "Shortcuts", run: () => (shortcutsOpen.value = true) },
            { text: "Sign out", run: start },
          ]}
        />
      )}
    </SignOut>
  );
}

export function TopBar() {
  const { title, parents } = trail.value;
  const parent =
    parents.at(-1) ?? (isUnderMore(currentPage()) ? { name: "More", href: linkTo("more") } : undefined);
  return (
    <header class="top">
      {parent ? (
        <a class="only-phone" href={parent.href}>
          <Icon name="back" />
          {parent.name}
        </a>
      ) : (
        <b class="only-phone">Edge configuration</b>
      )}
      <nav class="wide" aria-label="Breadcrumbs">
        {parents.map(({ name, href }) => (
          <>
            <a href={href} dir="auto">
              {name}
            </a>
            <span aria-hidden="true">/</span>
          </>
        ))}
        <span class="cut" aria-current="page" dir="auto">
          {title}
        </span>
      </nav>
      <span class="push" role="status">
        <Live />
      </span>
      <button
        type="button"
        class="btn q s wide"
        aria-label="Shortcuts"
        onClick={() => (shortcutsOpen.value = true)}
      >
        <kbd aria-hidden="true">?</kbd>
      </button>
    </header>
  );
}

/** Whether what is shown is up to date. */
function Live() {
  const { offline, waitUntil } = connection.value;
  if (offline) return <span class="live off">Offline. What you see may be old</span>;
  if (waitUntil !== null) return <span class="live wait">The service asks to wait. Trying again soon</span>;
  const { isLive, newest } = live.value;
  return (
    <span class={isLive ? "live" : "live wait"}>
      <span>
        {isLive ? "Live" : "Connecting"}
        {newest && (
          <span class="wide">
            {" "}
            · last event <Time at={newest.event_timestamp} />
          </span>
        )}
      </span>
    </span>
  );
}

/** The tabs at the bottom of a phone. */
export function MobileTabs() {
  const current = currentPage();
  return (
    <nav class="tabs" aria-label="Tabs">
      {tabs.map(({ name, text }) => (
        <a
          key={name}
          href={linkTo(name)}
          aria-current={
            name === current ? "page" : isUnderMore(current) && name === "more" ? "true" : undefined
          }
        >
          <Icon name={name} />
          {text}
        </a>
      ))}
    </nav>
  );
}

export function Shortcuts() {
  if (!shortcutsOpen.value) return null;
  return (
    <Dialog title="Shortcuts" close={() => (shortcutsOpen.value = false)}>
      <div class="form inside-dialog">
        <dl class="shortcuts">
          {shortcuts.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <Tick
          label="Single letters are shortcuts"
          value={hasLetters.value}
          set={(value) => (hasLetters.value = value)}
        />
      </div>
      <DialogFooter>
        <button type="button" class="btn" onClick={() => (shortcutsOpen.value = false)}>
          Close
        </button>
      </DialogFooter>
    </Dialog>
  );
}

/** The page of the side bar that the reader is on, or whose object a page edits. */
function currentPage(): string {
  const [page = ""] = place.value.path;
  return { traffic_policies: "edges", new_edge: "edges" }[page] ?? page;
}

/** Whether a phone opens a page from the tab More. */
const isUnderMore = (page: string): boolean => page !== "review" && tabs.every(({ name }) => name !== page);
