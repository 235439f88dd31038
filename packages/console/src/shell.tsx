import { connection } from "./api/client.ts";
import { live } from "./api/events.ts";
import { useBackends, useEdges, usePolicies } from "./api/queries.ts";
import { identity, signOut } from "./api/session.ts";
import { place } from "./base/routes.ts";
import { theme } from "./base/theme.ts";
import { pendingCount } from "./changes/pending.ts";
import { count } from "./facts/amounts.ts";
import { useProblems } from "./facts/problems.ts";
import { Dialog } from "./widgets/dialog.tsx";
import { Icon } from "./widgets/icons.tsx";
import { hasLetters, paletteOpen, shortcuts, shortcutsOpen } from "./widgets/keyboard.ts";
import { linkTo, navigation, tabs } from "./widgets/navigation.ts";
import { Time } from "./widgets/text.tsx";

/*
 * What surrounds every page: the side bar, the top bar, the tabs of a phone.
 */

function useCounts(): Record<string, { number: number | undefined; tone?: string }> {
  return {
    "": { number: useProblems().data?.length, tone: "bad" },
    edges: { number: useEdges().data?.length },
    policies: { number: usePolicies().data?.length },
    backends: { number: useBackends().data?.length },
  };
}

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
        <div>
          <b>Edge configuration</b>
          <span>{location.host}</span>
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
                  {number !== undefined && number > 0 && <i class={tone ?? ""}>{number}</i>}
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
          <span>{role}</span>
        </div>
        <button type="button" class="btn q sm" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </aside>
  );
}

export function TopBar() {
  const { offline, waitUntil } = connection.value;
  return (
    <header class="top">
      <span class="only-phone b">Edge configuration</span>
      <span class="r">
        <span role="status">
          {offline ? (
            <span class="live off">Offline. What you see may be old</span>
          ) : waitUntil === null ? (
            <span class={live.value.isLive ? "live" : "live wait"}>
              {live.value.isLive ? "Live" : "Connecting"}
              {live.value.newest && (
                <span class="wide">
                  {" "}
                  · changed <Time at={live.value.newest.event_timestamp} />
                </span>
              )}
            </span>
          ) : (
            <span class="live wait">The service asks to wait. Trying again soon</span>
          )}
        </span>
        <select
          class="quiet"
          aria-label="Theme"
          value={theme.value}
          onChange={(event) => (theme.value = event.currentTarget.value)}
        >
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
        <button type="button" class="btn q wide" onClick={() => (shortcutsOpen.value = true)}>
          <kbd aria-hidden="true">?</kbd> Shortcuts
        </button>
      </span>
    </header>
  );
}

/** The tabs at the bottom of a phone. */
export function MobileTabs() {
  const current = currentPage();
  return (
    <nav class="tabs" aria-label="Tabs">
      {tabs.map(({ name, text }) => (
        <a key={name} href={linkTo(name)} aria-current={name === current ? "page" : undefined}>
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
      <label class="check">
        <input
          type="checkbox"
          checked={hasLetters.value}
          onChange={(event) => (hasLetters.value = event.currentTarget.checked)}
        />{" "}
        Single letters are shortcuts
      </label>
      {pendingCount.value > 0 && <p class="t3 sm">{count(pendingCount.value, "change")} not applied yet.</p>}
    </Dialog>
  );
}

/** The page of the side bar that the reader is on, or whose object a page edits. */
function currentPage(): string {
  const [page = ""] = place.value.path;
  return page === "traffic_policies" ? "edges" : page;
}
