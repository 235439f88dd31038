import "./common.ts";
import type { Schemas } from "../api/client.ts";
import { nameOf } from "../api/names.ts";
import { useAuthorities, useEdges } from "../api/queries.ts";
import { now } from "../facts/amounts.ts";
import { List } from "../widgets/list.tsx";
import { Chip, Page } from "../widgets/page.tsx";
import type { Column } from "../widgets/table.tsx";
import { Ref, Time } from "../widgets/text.tsx";

type Authority = Schemas["CertificateAuthority"];

const MONTH = 30 * 86_400_000;

/** The certificate authorities that clients' certificates can come from. */
export function Authorities() {
  const edges = useEdges().data ?? [];
  const usersOf = ({ id }: Authority) =>
    edges.filter(
      (edge) => edge.kind !== "tcp" && edge.mutual_tls?.certificate_authorities?.some((one) => one.id === id),
    );
  const columns: Column<Authority>[] = [
    { name: "Name", class: "cut b", cell: (authority) => <bdi>{nameOf(authority)}</bdi> },
    {
      name: "Subject",
      class: "cut wide",
      cell: ({ subject_common_name }) => <bdi>{subject_common_name}</bdi>,
    },
    {
      name: "Expires",
      cell: ({ not_after }) => (
        <>
          <Time at={not_after} />{" "}
          {Date.parse(not_after) - now() < MONTH && (
            <Chip tone="warn">{Date.parse(not_after) < now() ? "expired" : "soon"}</Chip>
          )}
        </>
      ),
    },
    {
      name: "Used by",
      class: "cut",
      cell: (authority) => usersOf(authority).map(({ id }) => <Ref key={id} id={id} />),
    },
  ];
  return (
    <Page title="Authorities">
      <List
        title="Certificate authorities"
        query={useAuthorities()}
        columns={columns}
        keyOf={({ id }) => id}
        textsOf={(authority) => [nameOf(authority), authority.id, authority.subject_common_name ?? ""]}
        empty="There is no certificate authority, so no edge can require client certificates."
      />
    </Page>
  );
}
