import "./common.ts";
import type { Schemas } from "../api/client.ts";
import { useCertificates } from "../api/queries.ts";
import { now } from "../facts/amounts.ts";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Ref, Time } from "../widgets/text.tsx";

type HostCertificate = Schemas["HostCertificate"];

const tones = {
  valid: "good",
  ending: "warn",
  pending: "warn",
  failing: "bad",
  paused: "bad",
  missing: "bad",
  unknown: "warn",
} as const;

/** The most agents that a row names. */
const NAMED = 3;

const columns: Column<HostCertificate>[] = [
  { name: "Host", class: "wrap b", cell: ({ host }) => <bdi>{host}</bdi> },
  {
    name: "State",
    cell: ({ state, last_error: error }) => (
      <>
        <Chip tone={tones[state]}>{state}</Chip>
        {error !== null && (
          <div class="t3 wrap">
            <bdi>{error}</bdi>
          </div>
        )}
      </>
    ),
  },
  {
    name: "Ends",
    cell: ({ not_after: end }) =>
      end === null ? (
        "no certificate"
      ) : (
        <>
          {Date.parse(end) < now() && "ended "}
          <Time at={end} />
        </>
      ),
  },
  {
    name: "Edge",
    class: "cut",
    cell: ({ edges }) =>
      edges.length === 0 ? <span class="t3">none</span> : edges.map(({ id }) => <Ref key={id} id={id} />),
  },
  {
    name: "Agents",
    class: "cut",
    cell: ({ agents, agent_count: count }) => {
      const names = agents.slice(0, NAMED).map(({ name }) => name);
      return names.join(", ") + (count > names.length ? ` and ${count - names.length} more` : "");
    },
  },
  {
    name: "Issued by",
    class: "cut t3 wide",
    cell: ({ issued_by: issuer }) => <bdi title={issuer ?? ""}>{issuer}</bdi>,
  },
];

/** The certificates that agents have for each host, and when they end. */
export function Certificates() {
  return (
    <Page title="Certificates">
      <List
        title="Certificates"
        query={useCertificates()}
        columns={columns}
        keyOf={({ host }) => host}
        textsOf={({ host, state, issued_by, agents }) => [
          host,
          state,
          issued_by ?? "",
          ...agents.map(({ name }) => name),
        ]}
        empty="No edge needs a certificate, and no agent reports one."
      />
    </Page>
  );
}
