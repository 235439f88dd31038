import "./common.ts";
import { identity, signOut } from "../api/session.ts";
import { Icon } from "../widgets/icons.tsx";
import { linkTo, navigation } from "../widgets/navigation.ts";
import { Page, Panel } from "../widgets/page.tsx";

/** Every page, for a phone, which has no side bar. */
export function More() {
  const { subject, role = "" } = identity.value ?? {};
  return (
    <Page title="More" subtitle={`${subject} · ${role}`}>
      {navigation(role).map(({ title, pages }) => (
        <Panel key={title} title={title || "Overview"}>
          {pages.map(({ name, text }) => (
            <a key={name} class="row b" href={linkTo(name)}>
              <span class="icon">
                <Icon name={name} />
              </span>
              {text}
            </a>
          ))}
        </Panel>
      ))}
      <button type="button" class="btn" onClick={() => void signOut()}>
        Sign out
      </button>
    </Page>
  );
}
