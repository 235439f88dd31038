import { join } from "node:path";
import type { Problem } from "../../model/src/traffic/problems.ts";
import { renderUsable } from "./certificate_trial.ts";
import type { Context } from "./context.ts";
import { Machine } from "./machine.ts";
import { allFiles } from "./map_files.ts";
import { Refusal } from "./refusal.ts";
import { render } from "./render/render.ts";

/** Fetches the snapshot, renders it and has HAProxy check it, without serving it. Resolves to the problems. @throws Refusal */
export async function check(context: Context): Promise<Problem[]> {
  const { service, state, proxy } = context;
  const machine = new Machine(context);
  const fetched = await service.snapshot(null);
  if (!fetched) throw new Refusal("The service returned no snapshot.");
  if (context.options.issues) await machine.issuers.read(service);
  machine.certificates.refresh();
  await machine.addresses.refresh(fetched.snapshot);
  await machine.refreshKeySets(fetched.snapshot);
  const directory = state.release(1);
  const rendered = await renderUsable(
    () => render(fetched.snapshot, machine.settings(directory)),
    new Map(),
    machine.certificates,
    proxy,
  );
  state.writeRelease(1, allFiles(rendered));
  const checked = await proxy.check(join(directory, "haproxy.cfg"));
  if (!checked.ok)
    throw new Refusal(`HAProxy rejects version ${fetched.snapshot.version}: ${checked.message}`);
  return [...fetched.snapshot.problems, ...rendered.problems, ...machine.certificates.problems()];
}
