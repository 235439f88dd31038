import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { queryClient } from "./api/cache.ts";
import { signInMethods } from "./api/session.ts";
import { App } from "./app.tsx";

// Asked for together with who is signed in, so that the sign-in form does not wait for two responses in turn.
void queryClient.prefetchQuery(signInMethods);

const root = document.querySelector("#app");
if (root)
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
