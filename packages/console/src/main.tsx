import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { queryClient } from "./api/queries.ts";
import { App } from "./app.tsx";

const root = document.querySelector("#app");
if (root)
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
