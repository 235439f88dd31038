import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { paint, print } from "./output.ts";
import { all, type ServiceAccess } from "./service.ts";

/*
 * Lists plans.
 */

type Summary = components["schemas"]["PlanSummary"];

/** Lists the plans that can be applied, or all, newest first. */
export async function plans({ api }: ServiceAccess, call: Call): Promise<number> {
  const found = await all((cursor) =>
    api.GET("/plans", { params: { query: { ...(!call.has("all") && { state: "open" }), ...cursor } } }),
  );
  for (const one of found) print(call.has("json") ? JSON.stringify(one) : lineOf(one));
  if (found.length === 0 && !call.has("json"))
    print(call.has("all") ? "No plans." : "No plan waits for approval.");
  return 0;
}

function lineOf({ id, state, description, created_by, created_at, expires_at, applied_by }: Summary) {
  const until = state === "open" ? `open until ${expires_at}` : state;
  const by = applied_by ? ` by ${applied_by.subject}` : "";
  const what = description === "" ? "" : `  ${JSON.stringify(description)}`;
  return [`${id}  ${until}${by}${what}`, paint("dim", `  made by ${created_by.subject} at ${created_at}`)];
}
