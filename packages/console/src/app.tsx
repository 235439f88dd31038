import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { interrupted } from "./api/client.ts";
import { followEvents } from "./api/events.ts";
import { identity, mayAdminister, whoAmI } from "./api/session.ts";
import { place } from "./base/routes.ts";
import { applyTheme } from "./base/theme.ts";
import { pages } from "./pages.tsx";
import { Overview } from "./pages/overview.tsx";
import { SignIn } from "./pages/sign_in.tsx";
import { Palette } from "./palette.tsx";
import { PendingBar } from "./pending_bar.tsx";
import { MobileTabs, Shortcuts, SideBar, TopBar } from "./shell.tsx";
import { Told } from "./told.tsx";
import { Dialog } from "./widgets/dialog.tsx";
import { onKey } from "./widgets/keyboard.ts";
import { Lazy } from "./widgets/lazy.tsx";
import { NotAllowed, NotFound, Problem } from "./widgets/page.tsx";

/** How long the first page has for itself. */
const AHEAD_AFTER_MILLISECONDS = 3000;

applyTheme();
addEventListener("keydown", onKey);

/** The console: the sign-in form, or a page inside its frame. */
export function App() {
  const [error, setError] = useState<unknown>();
  const begin = (): void => {
    setError(undefined);
    whoAmI().catch(setError);
  };
  // Before the first frame is painted, which is empty.
  useLayoutEffect(begin, []);
  useEffect(() => (identity.value ? followEvents() : undefined), [identity.value?.id]);
  useEffect(() => (identity.value ? loadAhead() : undefined), [identity.value?.id]);
  if (error !== undefined)
    return (
      <main class="alone">
        <Problem error={error} retry={begin} />
      </main>
    );
  if (identity.value === undefined) return null;
  if (identity.value === null)
    return (
      <main class="alone">
        <SignIn />
      </main>
    );
  return (
    <div class="frame">
      <SideBar />
      <div class="body">
        <TopBar />
        <main class="page">
          <Told />
          <CurrentPage />
        </main>
        <PendingBar />
      </div>
      <MobileTabs />
      <Shortcuts />
      <Palette />
      {interrupted.value && (
        <Dialog title="Your session has ended">
          <div class="inside-dialog">
            <p class="t2">Sign in again to continue. Your changes are kept.</p>
            <SignIn isAgain />
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** Loads the scripts of the other pages in idle time, so that they open immediately. Returns a function that stops this. */
function loadAhead(): () => void {
  const ending = new AbortController();
  const waiting = setTimeout(async () => {
    for (const { load } of Object.values(pages)) {
      if (ending.signal.aborted) return;
      // A script that is missing is told where it is needed.
      await load().catch(() => undefined);
    }
  }, AHEAD_AFTER_MILLISECONDS);
  ending.signal.addEventListener("abort", () => clearTimeout(waiting));
  return () => ending.abort();
}

function CurrentPage() {
  const [name = "", ...rest] = place.value.path;
  // Paths of the API lead to the object, too: edges/tcp/ID.
  const id = rest.at(-1);
  if (name === "" || name === "overview") return <Overview />;
  const found = pages[id === undefined ? name : `${name}/*`];
  if (!found) return <NotFound what="page" id={place.value.path.join("/")} />;
  if (found.isForAdmins && !mayAdminister.value) return <NotAllowed role="admin" />;
  return <Lazy key={`${name} ${id ?? ""}`} load={found.load} id={id ?? ""} />;
}
