import { useQuery } from "@tanstack/preact-query";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { failureOf } from "../api/errors.ts";
import { signInMethods, signInWithKey } from "../api/session.ts";
import { Icon } from "../widgets/icons.tsx";
import { Problem } from "../widgets/page.tsx";

/** The ways to sign in. A key is sent once, and not kept. */
export function SignIn({ isAgain }: { isAgain?: true }) {
  const methods = useQuery(signInMethods);
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => field.current?.focus(), [methods.data]);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const input = field.current;
    if (!input) return;
    if (input.value.trim() === "") {
      setError(new Error("Enter an API key."));
      input.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await signInWithKey(input.value.trim());
      input.value = "";
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  const ways = methods.data?.methods ?? [];
  const failure = error === undefined ? undefined : failureOf(error);
  return (
    <div class={isAgain ? "form" : "sign-in"}>
      {!isAgain && (
        <header>
          <svg class="logo-big" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" class="logo" />
            <path d="M8 10h6l4 12h6M18 10h6" class="logo-line" />
          </svg>
          <h1>Sign in to Edge configuration</h1>
          <p class="t2">
            Who gets in where, and which backend answers, on <b>{location.host}</b>.
          </p>
        </header>
      )}
      {methods.error !== null && <Problem error={methods.error} retry={() => void methods.refetch()} />}
      {ways.includes("oidc") && (
        <a class="btn p" href={`/auth/login?return_to=${encodeURIComponent("/console")}`}>
          Continue with your organisation
        </a>
      )}
      {ways.includes("oidc") && ways.includes("key") && <p class="or">or with an API key</p>}
      {ways.includes("key") && (
        <form class="form" onSubmit={(event) => void submit(event)}>
          <div class="field">
            <label htmlFor="token">API key</label>
            <input
              id="token"
              ref={field}
              type="password"
              autocomplete="off"
              spellcheck={false}
              class="input mono"
              aria-describedby="token-note"
              aria-invalid={failure !== undefined}
            />
            {failure && (
              <p class="error" role="alert">
                <Icon name="warn" />
                <span>{failure.message}</span>
              </p>
            )}
          </div>
          <button type="submit" class={ways.includes("oidc") ? "btn" : "btn p"} disabled={isBusy}>
            Sign in
          </button>
          <p id="token-note" class="meta">
            The key is sent once and not kept. The session lasts up to eight hours.
          </p>
        </form>
      )}
    </div>
  );
}
