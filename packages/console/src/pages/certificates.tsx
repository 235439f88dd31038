import "./common.ts";
import { useMemo, useState } from "preact/hooks";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useIssuers } from "../api/operation_queries.ts";
import { useCertificates } from "../api/queries.ts";
import { mayApply, mayPlan } from "../api/session.ts";
import { place } from "../base/routes.ts";
import { newIn } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import {
  daysLeft,
  type HostCertificate,
  needsAction,
  sourceOf,
  stateOfCertificate,
} from "../facts/certificates.ts";
import { Action } from "../widgets/action.tsx";
import { Parts } from "../widgets/field.tsx";
import { Icon } from "../widgets/icons.tsx";
import { List } from "../widgets/list.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { Empty, None, Notice, Page, Panel, Rows } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";
import type { Column } from "../widgets/table.tsx";
import { Labelled, Ref, Time } from "../widgets/text.tsx";
import { Added } from "./added.tsx";
import { EditObject, NewObject } from "./edit_object.tsx";

/** The most days that the bar of a certificate shows. */
const LONGEST = 90;

const columns: Column<HostCertificate>[] = [
  {
    name: "Host",
    width: "minmax(0, 1.2fr)",
    class: "name cut",
    cell: ({ host }) => <code class="b">{host}</code>,
  },
  {
    name: "Edge",
    width: "minmax(0, 1fr)",
    class: "cut line2",
    cell: ({ edges: [first, ...others] }) =>
      first ? (
        <>
          <Ref id={first.id} />
          {others.length > 0 && <span class="t3"> +{others.length}</span>}
        </>
      ) : (
        <span class="t3">none</span>
      ),
  },
  {
    name: "Source",
    width: "minmax(0, 1fr)",
    class: "cut wide t2",
    cell: (one) => <bdi>{sourceOf(one)}</bdi>,
  },
  {
    name: "Valid until",
    width: "190px",
    class: "wide",
    cell: ({ not_after: end }) =>
      end !== null && (
        <span class="line">
          <svg class="left" viewBox="0 0 90 6" preserveAspectRatio="none" aria-hidden="true">
            <rect width="90" height="6" rx="3" />
            <rect class="full" width={Math.max(0, Math.min(LONGEST, daysLeft(end)))} height="6" rx="3" />
          </svg>
          <Time at={end} />
        </span>
      ),
  },
  {
    name: "Machines",
    width: "72px",
    class: "fig end num t2",
    cell: ({ agent_count: number }) => (
      <Labelled number={number} label={number === 1 ? "machine" : "machines"} />
    ),
  },
  {
    name: "State",
    width: "120px",
    class: "st",
    cell: (certificate) => {
      const { tone, text } = stateOfCertificate(certificate);
      return <State tone={tone}>{text}</State>;
    },
  },
];

/** The certificates that machines have for each host, when they end, and who issues them. */
export function Certificates() {
  const certificates = useCertificates();
  // Those that need attention first, otherwise by host.
  const all = useMemo(
    () => certificates.data?.toSorted((a, b) => Number(needsAction(b)) - Number(needsAction(a))),
    [certificates.data],
  );
  const part = place.value.query.get("part") ?? "";
  const isShown = (one: HostCertificate): boolean =>
    part === "" ||
    (part === "attention" && needsAction(one)) ||
    (part === "issued" && one.source === "issued") ||
    (part === "file" && one.source === "file");
  const bad = all?.filter(needsAction) ?? [];
  const from = (source: string): number => all?.filter((one) => one.source === source).length ?? 0;
  return (
    <Page
      title="Certificates"
      facts={[
        all && all.length > 0 && count(all.length, "host"),
        all &&
          all.length > 0 &&
          (bad.length === 0
            ? all.every(({ state }) => state !== "unknown") && "none needs attention"
            : `${bad.length} ${bad.length === 1 ? "needs" : "need"} attention`),
        "private keys never leave the machines",
      ]}
    >
      {bad.length > 0 && <Failing certificates={bad} />}
      <List
        title="Certificates"
        filter="Host, edge, issuer or machine"
        query={{ ...certificates, data: all?.filter(isShown).length === 0 && part === "" ? [] : all }}
        columns={columns}
        keyOf={({ host }) => host}
        textsOf={(one) =>
          isShown(one)
            ? [
                one.host,
                stateOfCertificate(one).text,
                one.issued_by ?? "",
                ...one.agents.map(({ name }) => name),
              ]
            : []
        }
        parts={
          <Parts
            label="Certificates to show"
            name="part"
            options={[
              ["", "All", all?.length ?? 0],
              ["attention", "Needs attention", bad.length],
              ["issued", "Automatic", from("issued")],
              ["file", "From files", from("file")],
            ]}
          />
        }
        empty={
          <Empty title="No certificates yet">
            An edge needs one as soon as it has a host. Machines read certificates from files, or an issuer
            issues them.
          </Empty>
        }
      />
      <Added added={newIn("/certificate_issuers")} />
      <Issuers />
    </Page>
  );
}

/** The most hosts that the notice names. */
const NAMED = 3;

/** The certificates that somebody has to do something about: each reason once. */
function Failing({ certificates }: { certificates: HostCertificate[] }) {
  const causes = [...Map.groupBy(certificates, causeOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const isBad = certificates.some((one) => stateOfCertificate(one).tone === "bad");
  return (
    <Notice
      tone={isBad ? "bad" : "warn"}
      title={`${count(certificates.length, "host")} ${certificates.length === 1 ? "needs" : "need"} attention`}
    >
      <ul class="stack">
        {causes.slice(0, NAMED).map(([cause, own]) => (
          <li key={cause} class="line">
            <span class="grow">
              {own.slice(0, NAMED).map(({ host }) => (
                <>
                  <code key={host}>{host}</code>{" "}
                </>
              ))}
              {own.length > NAMED && `and ${count(own.length - NAMED, "other")} `}
              {cause}
              <Next certificate={own[0]} />
            </span>
            {own.length === 1 && <TryNow certificate={own[0]} />}
          </li>
        ))}
        {causes.length > NAMED && <li>and {count(causes.length - NAMED, "other reason")}</li>}
      </ul>
    </Notice>
  );
}

/** Why somebody has to look at a certificate. */
function causeOf(certificate: HostCertificate): string {
  const { text } = stateOfCertificate(certificate);
  const { last_error: error, source } = certificate;
  if (error !== null) return `${text.toLowerCase()}: ${error}`;
  if (text === "Missing") return "has no certificate on any machine";
  return source === "file" ? `${text.toLowerCase()}: replace the file on the machines` : text.toLowerCase();
}

function Next({ certificate }: { certificate: HostCertificate | undefined }) {
  const at = certificate?.next_attempt_at ?? null;
  if (at === null) return null;
  return (
    <>
      . The next attempt is <Time at={at} />.
    </>
  );
}

/** Requests a certificate again, if an issuer issues it. */
function TryNow({ certificate }: { certificate: HostCertificate | undefined }) {
  if (!certificate || !mayApply.value) return null;
  const { host, source, issuer } = certificate;
  if (source !== "issued" && issuer === null) return null;
  return (
    <Action
      label="Try now"
      of={host}
      title={`Request the certificate of ${host} now?`}
      class="btn s"
      effect="Another attempt begins within a minute. Authorities limit how many there can be in an hour."
      affects="certificates"
      run={() => bodyOf(api.POST("/certificates/{host}/renew", { params: { path: { host } } }))}
    />
  );
}

type Issuer = Schemas["CertificateIssuer"];

/** Who issues certificates automatically. */
function Issuers() {
  const issuers = useIssuers();
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<Issuer>();
  const pathOf = ({ id }: Issuer): string => `/certificate_issuers/${id}`;
  return (
    <Panel
      title="Issuers"
      note="issue certificates automatically"
      aside={
        mayPlan.value && (
          <button type="button" class="btn s" onClick={() => setNew(true)}>
            <Icon name="add" />
            New issuer
          </button>
        )
      }
    >
      <Rows query={issuers} empty={<None>No issuer: machines use the certificates in their files.</None>}>
        {(issuer) => (
          <div class="row" key={issuer.id}>
            <div class="grow">
              <b class="wrap">
                <bdi>{nameOf(issuer)}</bdi>
              </b>
              <div class="meta wrap">
                {issuer.hosts.join(", ")} · {new URL(issuer.directory_url).host}
              </div>
              {issuer.last_error !== null && <div class="meta wrap">{issuer.last_error}</div>}
            </div>
            {issuer.last_error === null ? (
              <State tone={issuer.account_uri === null ? "none" : "good"}>
                {issuer.account_uri === null ? "Not used yet" : "Registered"}
              </State>
            ) : (
              <State tone="warn">Has an error</State>
            )}
            <ObjectMenu
              id={issuer.id}
              path={pathOf(issuer)}
              title={nameOf(issuer)}
              isSmall
              more={mayPlan.value ? [{ text: "Edit", run: () => setEdited(issuer) }] : []}
            />
          </div>
        )}
      </Rows>
      {isNew && <NewObject kinds={["issuer"]} given={{ hosts: ["*"] }} close={() => setNew(false)} />}
      {edited && (
        <EditObject path={pathOf(edited)} title={nameOf(edited)} close={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}
