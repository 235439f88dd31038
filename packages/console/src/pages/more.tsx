import "./common.ts";
import { identity } from "../api/session.ts";
import { theme } from "../base/theme.ts";
import { Icon } from "../widgets/icons.tsx";
import { Segments } from "../widgets/inputs.tsx";
import { linkTo, navigation } from "../widgets/navigation.ts";
import { Page, Panel } from "../widgets/page.tsx";
import { SignOut } from "../widgets/sign_out.tsx";

/** Every page, for a phone, which has no side bar. */
export function More() {
  const { subject, role = "" } = identity.value ?? {};
  return (
    <Page title="More" facts={[<bdi key="who">{subject}</bdi>, role]}>
      {navigation(role).map(({ title, pages }) => (
        <Panel key={title} title={title || "Overview"}>
          <div>
            {pages.map(({ name, text }) => (
              <a key={name} class="row b" href={linkTo(name)}>
                <Icon name={name} />
                {text}
              </a>
            ))}
          </div>
        </Panel>
      ))}
      <Segments
        label="Theme"
        value={theme.value}
        options={[
          { value: "system", text: "System" },
          { value: "light", text: "Light" },
          { value: "dark", text: "Dark" },
        ]}
        set={(value) => (theme.value = value)}
      />
      <SignOut>
        {(start) => (
          <button type="button" class="btn" onClick={start}>
            Sign out
          </button>
        )}
      </SignOut>
    </Page>
  );
}
