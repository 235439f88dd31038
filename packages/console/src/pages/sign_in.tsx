import { useQuery } from "@tanstack/preact-query";
import { useEffect, useRef, useState } from "preact/hooks";
import { signInMethods, signInWithKey } from "../api/session.ts";
import { Problem } from "../widgets/page.tsx";

/** The ways to sign in. A key is sent once, and not kept. */
export function SignIn({ isAgain }: { isAgain?: true }) {
  const methods = useQuery(signInMethods);
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => field.current?.focus(), [methods.data]);
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
  return (
    <div class="sign-in">
      {!isAgain && <h1>Sign in to Edge configuration</h1>}
      {methods.error !== null && <Problem error={methods.error} retry={() => void methods.refetch()} />}
      {ways.includes("oidc") && (
        <a class="btn p" href={`/auth/login?return_to=${encodeURIComponent("/console")}`}>
          Sign in with your organisation
        </a>
      )}
      {ways.includes("key") && (
        <form onSubmit={(event) => void submit(event)}>
          <label htmlFor="token">API key</label>
          <input
            id="token"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            class="input mono"
            aria-describedby="token-note"
          />
          <p id="token-note" class="t3 sm">
            The key is sent once and not kept. The session lasts up to eight hours.
          </p>
          <button type="submit" class="btn p" disabled={isBusy}>
            Sign in
          </button>
        </form>
      )}
      {error !== undefined && <Problem error={error} />}
    </div>
  );
}
