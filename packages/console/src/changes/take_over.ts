import { type Fields, isFields, readObject } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import type { Plan } from "../api/queries.ts";
import { readRules } from "../api/rules.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleInput, ruleKey, rulesIn } from "./diff.ts";
import { secretsIn } from "./labels.ts";
import { modules } from "./modules.ts";
import { keep, keepNew, newIn, newName, pending, STALE } from "./pending.ts";

/*
 * Turns a plan's operations into pending changes of this tab, so that they can be planned again.
 */

const SECRET = "Its secret must be entered again.";

type Taken = { operation: Plan["operations"][number]; change: Plan["changes"][number] | undefined };

/** Renames the new objects in a text. References are a dollar sign with an operation's name or number. */
const renamed = (text: string, names: Map<string, string>): string =>
  text.replaceAll(/(["/])\$(\w+)(?=["/]|$)/g, (all, start: string, name: string) =>
    names.has(name) ? `${start}$${names.get(name)}` : all,
  );

const hasSecret = (path: string, body: Fields): boolean =>
  secretsIn(path, body).length > 0 ||
  isFields(body["webhook_verification"]) ||
  path.endsWith("/webhook_verification");

/** Adds a change to fields. Conflicts are found by comparison with the values that the plan was made from. */
async function update(path: string, title: string, body: Fields, seen: Fields): Promise<void> {
  const { object } = await readObject(path);
  const mine = pending.value[path];
  const earlier = mine?.type === "update" ? mine : { base: object, body: {} };
  keep(path, {
    type: "update",
    path,
    title,
    etag: STALE,
    base: { ...earlier.base, ...seen },
    body: { ...earlier.body, ...body },
  });
}

/** Takes over an operation on an existing object. @throws RequestFailure */
async function change(path: string, title: string, { operation, change: effect }: Taken): Promise<void> {
  const { method, body = {} } = operation;
  const seen = effect?.before ?? {};
  const [, parent = "", last = ""] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  if (last in modules) return update(parent, title, { [last]: method === "DELETE" ? null : body }, seen);
  if (method === "DELETE") return keep(path, { type: "delete", path, title, etag: STALE });
  if (last !== "rules") return update(path, title, body, seen);
  const { etag, rules } = await readRules(parent.split("/")[2] ?? "");
  const theirs = rules.map(ruleInput);
  // The plan does not contain descriptions, or all rules of a long list.
  const known = effect?.truncated === true ? theirs : withDescriptions(rulesIn(seen), theirs);
  keep(path, {
    type: "rules",
    path,
    title,
    etag: known === theirs ? etag : STALE,
    base: known,
    rules: rulesIn(body),
  });
}

/** The key of the pending change for an operation at a path: a module belongs to its object. */
const changedBy = (path: string): string => {
  const [, parent = "", last = ""] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  return last in modules ? parent : path;
};

/** Adds the rules of a new policy. @param parts the name of its creation, and the rest of the path */
function rulesOfNew(parts: string, rules: RuleInput[]): void {
  const policy = newIn("/ip_policies").find(({ name }) => parts === `${name}/rules`);
  if (policy) keepNew(policy.path, policy.title, policy.body, policy.name, rules);
}

const withDescriptions = (rules: RuleInput[], known: RuleInput[]): RuleInput[] => {
  const described = new Map(known.map(({ expires_at: _, ...rule }) => [ruleKey(rule), rule]));
  return rules.map((rule) => ({ ...described.get(ruleKey(rule)), ...rule }));
};

/**
 * Adds the operations of a plan to the pending changes.
 *
 * @param titles the titles of the operations
 * @returns messages about the operations that cannot be taken over
 */
export async function takeOver(plan: Plan, titles: string[]): Promise<string[]> {
  const names = new Map<string, string>();
  const before = new Set(Object.keys(pending.value));
  const left: string[] = [];
  for (const [i, operation] of plan.operations.entries()) {
    const title = titles[i] ?? operation.path;
    const path = renamed(operation.path, names);
    const body: unknown = JSON.parse(renamed(JSON.stringify(operation.body ?? {}), names));
    const fields = isFields(body) ? body : {};
    const reject = (why: string): void => void left.push(`${title}: ${why}`);
    if (hasSecret(path, fields) && operation.method !== "DELETE") reject(SECRET);
    else if (before.has(changedBy(path))) reject("It is already in your changes.");
    else if (operation.method === "POST") {
      const name = newName();
      names.set(String(i), name);
      if (operation.name !== undefined) names.set(operation.name, name);
      keepNew(path, title, fields, name);
    } else if (path.startsWith("/ip_policies/$")) rulesOfNew(path.split("$")[1] ?? "", rulesIn(fields));
    else
      await change(path, title, { operation: { ...operation, body: fields }, change: plan.changes[i] }).catch(
        (error: unknown) => {
          const failure = failureOf(error);
          reject(failure.status === 404 ? "It was deleted in the meantime." : failure.message);
        },
      );
  }
  return left;
}
