import "./common.ts";
import { useEffect, useState } from "preact/hooks";
import { queryClient } from "../api/cache.ts";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { usePolicies, usePolicyUsers } from "../api/queries.ts";
import { rulesQuery, type TaggedRules, useRules } from "../api/rules.ts";
import { mayPlan } from "../api/session.ts";
import type { RuleInput } from "../base/networks.ts";
import { link, place } from "../base/routes.ts";
import { ruleChanges, ruleInput, ruleKey } from "../changes/diff.ts";
import { keep, pending } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { copiesOfPolicy } from "../facts/copies.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { AddressPicture } from "../widgets/address_picture.tsx";
import { Copy } from "../widgets/copy.tsx";
import { Filter } from "../widgets/field.tsx";
import { Loaded, Rows, NotFound, Page, Panel, Skeleton } from "../widgets/page.tsx";
import { Ref } from "../widgets/text.tsx";
import { AddRules } from "./add_rules.tsx";
import { ObjectActions } from "./edit_object.tsx";
import { type RuleRow, RuleTable, rowsOf } from "./rule_table.tsx";

/** An IP policy: its rules, its users, and the reader's pending changes. */
export function PolicyPage({ id }: { id: string }) {
  const policies = usePolicies();
  const policy = policies.data?.find((one) => one.id === id);
  if (!policies.data) return <Loaded query={policies}>{() => <Skeleton />}</Loaded>;
  return policy ? <PolicyView policy={policy} /> : <NotFound what="IP policy" id={id} />;
}

function PolicyView({ policy }: { policy: Schemas["IpPolicy"] }) {
  const { id } = policy;
  const rules = useRules(id);
  const users = usePolicyUsers(id);
  const [isAdding, setAdding] = useState(false);
  const uses = ({ id: entrance }: { id: string }): boolean =>
    users.data?.some((user) => user.id === entrance) === true;
  const edit = editor(id, nameOf(policy), rules.data);
  return (
    <Page
      title={nameOf(policy)}
      of={{ name: "IP policies", href: link("policies") }}
      subtitle={
        <>
          <code class="t3">{id}</code> · used by {count(users.data?.length ?? 0, "entrance")}
        </>
      }
      actions={
        <ObjectActions path={`/ip_policies/${id}`} title={nameOf(policy)}>
          <button type="button" class="btn" data-key="n" onClick={() => setAdding(true)}>
            Add rules <kbd aria-hidden="true">N</kbd>
          </button>
        </ObjectActions>
      }
    >
      <div class="grid">
        <RulePanel rules={rules} edit={edit} />
        <div class="col">
          {users.data && <AccessTest only={({ edge, route }) => uses(route ?? edge)} />}
          {rules.data && <AddressPicture rules={edit.current} />}
          <Panel title="Used by">
            <Rows query={users} empty="No edge or route uses this policy.">
              {(user) => (
                <div class="row" key={user.id}>
                  <span class="cut">
                    <Ref id={user.id} />
                  </span>
                </div>
              )}
            </Rows>
          </Panel>
          {rules.data && <Copy copies={copiesOfPolicy({ ...policy }, rules.data.rules)} />}
        </div>
      </div>
      {isAdding && <AddRules close={() => setAdding(false)} add={edit.add} existing={edit.current} />}
    </Page>
  );
}

/** Rules with their ETag. If somebody has changed the rules since they were read, they are read again. Errors are in the query. */
async function withTag(
  id: string,
  known: TaggedRules | undefined,
): Promise<{ etag: string; rules: RuleInput[] }> {
  const { etag, rules } = known ?? {};
  if (etag !== undefined && rules) return { etag, rules };
  return withTag(id, await queryClient.fetchQuery({ ...rulesQuery(id), staleTime: 0 }));
}

interface Editor {
  current: RuleInput[];
  add: (rules: RuleInput[]) => Promise<void>;
  toggle: (row: RuleRow) => Promise<void>;
}

/** Edits the rules of a policy, as a pending change. */
function editor(id: string, title: string, known: TaggedRules | undefined): Editor {
  const path = `/ip_policies/${id}/rules`;
  const change = pending.value[path];
  const mine = change?.type === "rules" ? change : undefined;
  const base = mine?.base ?? known?.rules.map(ruleInput) ?? [];
  const current = mine?.rules ?? base;
  const edit = async (edited: (from: RuleInput[], own: RuleInput[]) => RuleInput[]): Promise<void> => {
    if (mine) return keep(path, { ...mine, rules: edited(mine.base, mine.rules) });
    const tagged = await withTag(id, known).catch(() => undefined);
    if (!tagged) return;
    const own = tagged.rules.map(ruleInput);
    keep(path, { type: "rules", path, title, etag: tagged.etag, base: own, rules: edited(own, own) });
  };
  return {
    current,
    add: (added) =>
      edit((_, own) => {
        const all = new Map(own.map((rule) => [ruleKey(rule), rule]));
        for (const rule of added) all.set(ruleKey(rule), rule);
        return [...all.values()];
      }),
    toggle: ({ rule, state }) =>
      edit((from, own) => {
        const key = ruleKey(rule);
        const others = own.filter((one) => ruleKey(one) !== key);
        const old = from.find((one) => ruleKey(one) === key);
        return state === "same" || state === "added" || !old ? others : [...others, old];
      }),
  };
}

const kinds = ["all", "allow", "deny", "ending", "IPv4", "IPv6"];

function RulePanel({ rules, edit }: { rules: ReturnType<typeof useRules>; edit: Editor }) {
  const [id = ""] = place.value.path.slice(1);
  const change = pending.value[`/ip_policies/${id}/rules`];
  const base = change?.type === "rules" ? change.base : (rules.data?.rules ?? []);
  const changes = ruleChanges(base, edit.current);
  const [kind, setKind] = useState("all");
  useEffect(() => setKind("all"), [id]);
  const isOutdated = change?.type === "rules" && rules.data !== undefined && rules.data.etag !== change.etag;
  return (
    <Panel title="Rules" aside={rules.data && count(edit.current.length, "rule")}>
      {isOutdated && (
        <p class="notice warn" role="status">
          Somebody has changed these rules since you began. Review merges both.
        </p>
      )}
      <div class="bar">
        <Filter label="Network, address in it, or description" />
        <div class="seg" role="group" aria-label="Rules to show">
          {kinds.map((name) => (
            <button key={name} type="button" aria-pressed={kind === name} onClick={() => setKind(name)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      <Loaded query={rules}>
        {() => (
          <RuleTable
            rows={rowsOf(base, edit.current, changes)}
            kind={kind}
            toggle={mayPlan.value ? edit.toggle : undefined}
          />
        )}
      </Loaded>
      <footer class="t3 sm">
        Rules have no order: a matching deny blocks; otherwise a matching allow admits.
      </footer>
    </Panel>
  );
}
