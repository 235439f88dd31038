import "./common.ts";
import { useEffect, useMemo, useState } from "preact/hooks";
import { countOf } from "../../../model/src/traffic/networks.ts";
import { queryClient } from "../api/cache.ts";
import type { Schemas } from "../api/client.ts";
import { failureOf, RequestFailure } from "../api/errors.ts";
import { nameOf } from "../api/names.ts";
import { usePolicies, usePolicyUsers } from "../api/queries.ts";
import { rulesQuery, type TaggedRules, useRules } from "../api/rules.ts";
import { mayPlan } from "../api/session.ts";
import type { RuleInput } from "../base/networks.ts";
import { link, place } from "../base/routes.ts";
import { ruleChanges, ruleInput, ruleKey } from "../changes/diff.ts";
import { check } from "../changes/operations.ts";
import { keep, pending, type PendingChange } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { copiesOfPolicy } from "../facts/copies.ts";
import { useClock } from "../facts/known.ts";
import { sourcesNow } from "../facts/sources.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { AddressPicture } from "../widgets/address_picture.tsx";
import { useListed } from "../widgets/dialog.tsx";
import { Filter } from "../widgets/field.tsx";
import { History } from "../widgets/history.tsx";
import { Icon } from "../widgets/icons.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { Loaded, Notice, NotListed, Page, Unread } from "../widgets/page.tsx";
import { pendingMark } from "../widgets/pending_mark.tsx";
import { Addresses } from "../widgets/text.tsx";
import { UsedBy } from "../widgets/used_by.tsx";
import { AddRules } from "./add_rules.tsx";
import { EditButton } from "./edit_object.tsx";
import { EditRule } from "./edit_rule.tsx";
import { type RuleRow, RuleTable, rowsOf } from "./rule_table.tsx";

/** An IP policy: its rules, its users, and the reader's pending changes. */
export function PolicyPage({ id }: { id: string }) {
  const policies = usePolicies();
  const policy = useListed(policies.data, id);
  if (!policies.data) return <Unread query={policies} what="IP policy" />;
  return policy ? <PolicyView policy={policy} /> : <NotListed what="IP policy" id={id} />;
}

const UNUSED = "No edge or route uses this policy.";

function PolicyView({ policy }: { policy: Schemas["IpPolicy"] }) {
  const { id } = policy;
  const title = nameOf(policy);
  const path = `/ip_policies/${id}`;
  const rules = useRules(id);
  const users = usePolicyUsers(id);
  const [isAdding, setAdding] = useState(false);
  const uses = ({ id: entrance }: { id: string }): boolean =>
    users.data?.some((user) => user.id === entrance) === true;
  const edit = editor(id, title, rules.data);
  const time = useClock();
  const ended = edit.current.filter(({ expires_at: end }) => Date.parse(end ?? "") <= time).length;
  const counts = useMemo(() => countOf(sourcesNow(edit.current)), [edit.current, ended]);
  const isChanged = pending.value[`${path}/rules`] !== undefined;
  return (
    <Page
      title={title}
      of={[{ name: "IP policies", href: link("policies") }]}
      facts={[
        rules.data && <LetsIn {...counts} isChanged={isChanged} />,
        users.data && `used by ${count(users.data.length, "place")}`,
        pendingMark(path, isChanged || pending.value[path] !== undefined),
      ]}
      actions={
        <>
          <ObjectMenu
            id={id}
            path={path}
            title={title}
            {...(rules.data && { copies: copiesOfPolicy({ ...policy }, rules.data.rules) })}
          />
          <EditButton path={path} title={title} />
          {mayPlan.value && (
            <button
              type="button"
              class="btn p"
              data-key="n"
              disabled={!rules.data && !isChanged}
              onClick={() => setAdding(true)}
            >
              <Icon name="add" />
              Add rules <kbd aria-hidden="true">N</kbd>
            </button>
          )}
        </>
      }
    >
      <div class="grid">
        <div class="col">
          <RulePanel rules={rules} edit={edit} />
          <UsedBy users={users} none={UNUSED} />
        </div>
        <div class="col">
          {users.data && (
            <AccessTest only={{ has: ({ edge, route }) => uses(route ?? edge), none: UNUSED }} />
          )}
          {rules.data && <AddressPicture rules={edit.current} />}
          <History id={id} />
        </div>
      </div>
      {isAdding && <AddRules close={() => setAdding(false)} add={edit.add} existing={edit.current} />}
    </Page>
  );
}

/** The number of addresses that a policy lets in, by family. @param isChanged true if some changes are not applied yet */
function LetsIn({ ipv4, ipv6, isChanged }: { ipv4: bigint; ipv6: bigint; isChanged: boolean }) {
  const families = (
    [
      ["IPv4", ipv4],
      ["IPv6", ipv6],
    ] as const
  ).filter(([, number]) => number > 0n);
  return (
    <>
      {isChanged ? "Will let " : "Lets "}
      {families.length === 0 && "nobody in"}
      {families.map(([family, number], index) => (
        <>
          {index === 0 ? "in " : " and "}
          <Addresses number={number} /> {family}
        </>
      ))}
      {families.length > 0 && " addresses"}
    </>
  );
}

/** Rules with their ETag. If somebody has changed the rules since they were read, they are read again. @throws RequestFailure, which the query has, too */
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
  replace: (old: RuleInput, rule: RuleInput) => Promise<void>;
  toggle: (row: RuleRow) => Promise<void>;
}

/** The pending change of a policy's rules. */
function changeOf(path: string) {
  const change = pending.value[path];
  return change?.type === "rules" ? change : undefined;
}

/** The most rejected rules that a form names. */
const NAMED = 5;

/** Has the service check changed rules. @throws RequestFailure, whose messages name the rules */
async function checkRules(path: string, change: PendingChange & { type: "rules" }): Promise<void> {
  await check(path, change).catch((error: unknown) => {
    const { message: msg, status, details, fields } = failureOf(error);
    const errors = fields.slice(0, NAMED).map((field) => {
      const [, index, name = ""] = /^\/rules\/(\d+)\/?(.*)$/.exec(field.path) ?? [];
      const rule = change.rules[Number(index)];
      return rule ? { path: `/rules/${name}`, msg: `${rule.cidr}: ${field.msg}` } : field;
    });
    throw new RequestFailure({ msg, details, errors }, status);
  });
}

/** Edits the rules of a policy, as a pending change. */
function editor(id: string, title: string, known: TaggedRules | undefined): Editor {
  const path = `/ip_policies/${id}/rules`;
  const mine = changeOf(path);
  const base = mine?.base ?? known?.rules.map(ruleInput) ?? [];
  const current = mine?.rules ?? base;
  const edit = async (
    edited: (from: RuleInput[], own: RuleInput[]) => RuleInput[],
    isNew = false,
  ): Promise<void> => {
    const read = changeOf(path) ? undefined : await withTag(id, known);
    // The user may have clicked twice while the rules were being read.
    const last = changeOf(path);
    const own = read?.rules.map(ruleInput) ?? [];
    const from = last ?? (read && { type: "rules", path, title, etag: read.etag, base: own, rules: own });
    if (!from) return;
    const change = { ...from, rules: edited(from.base, from.rules) };
    if (isNew) await checkRules(path, change);
    keep(path, change);
  };
  return {
    current,
    add: (added) =>
      edit((_, own) => {
        const all = new Map(own.map((rule) => [ruleKey(rule), rule]));
        // A description or an end that a line does not contain is kept.
        for (const rule of added) all.set(ruleKey(rule), { ...all.get(ruleKey(rule)), ...rule });
        return [...all.values()];
      }, true),
    replace: (old, rule) =>
      edit((_, own) => own.map((other) => (ruleKey(other) === ruleKey(old) ? rule : other)), true).catch(
        (error: unknown) => {
          throw failureOf(error).within("/rules");
        },
      ),
    toggle: ({ rule, state }) =>
      edit((from, own) => {
        const key = ruleKey(rule);
        const others = own.filter((one) => ruleKey(one) !== key);
        const old = from.find((one) => ruleKey(one) === key);
        return state === "same" || state === "added" || !old ? others : [...others, old];
      }),
  };
}

const kinds: [value: string, text: string][] = [
  ["all", "All"],
  ["allow", "Allow"],
  ["deny", "Deny"],
  ["ending", "Ending"],
  ["IPv4", "IPv4"],
  ["IPv6", "IPv6"],
];

function RulePanel({ rules, edit }: { rules: ReturnType<typeof useRules>; edit: Editor }) {
  const [id = ""] = place.value.path.slice(1);
  const change = pending.value[`/ip_policies/${id}/rules`];
  const base = change?.type === "rules" ? change.base : (rules.data?.rules ?? []);
  const changes = ruleChanges(base, edit.current);
  const [kind, setKind] = useState("all");
  const [edited, setEdited] = useState<RuleInput>();
  useEffect(() => setKind("all"), [id]);
  // If the rules cannot be read, the query shows the error.
  const toggle = (row: RuleRow): unknown => edit.toggle(row).catch(() => undefined);
  const isOutdated =
    change?.type === "rules" &&
    rules.data !== undefined &&
    rules.data.etag !== change.etag &&
    ruleChanges(change.base, rules.data.rules).size > 0;
  return (
    <section class="panel" aria-label="Rules">
      {isOutdated && (
        <Notice tone="warn" role="status" title="Somebody has changed these rules since you began">
          Review merges both.
        </Notice>
      )}
      <div class="bar">
        <Filter label="Network, an address in it, or description" />
        <div class="seg" role="group" aria-label="Rules to show">
          {kinds.map(([name, text]) => (
            <button key={name} type="button" aria-pressed={kind === name} onClick={() => setKind(name)}>
              {text}
              {name === "all" && rules.data && (
                <span class="t3">{edit.current.length.toLocaleString("en")}</span>
              )}
            </button>
          ))}
        </div>
      </div>
      <Loaded query={rules}>
        {() => (
          <RuleTable
            rows={rowsOf(base, edit.current, changes)}
            kind={kind}
            actions={mayPlan.value ? { edit: setEdited, toggle } : undefined}
          />
        )}
      </Loaded>
      <footer>The order does not matter: a matching deny blocks; otherwise, a matching allow admits.</footer>
      {edited && (
        <EditRule
          rule={edited}
          others={edit.current.filter((other) => ruleKey(other) !== ruleKey(edited))}
          close={() => setEdited(undefined)}
          save={(rule) => edit.replace(edited, rule)}
        />
      )}
    </section>
  );
}
