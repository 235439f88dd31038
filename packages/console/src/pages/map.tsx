import "./common.ts";
import { useState } from "preact/hooks";
import type { BackendObject } from "../api/lists.ts";
import { nameOf, placeName, useNames } from "../api/names.ts";
import { useBackends } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { link, place, setFilter } from "../base/routes.ts";
import { count } from "../facts/amounts.ts";
import { describeBackend } from "../facts/backends.ts";
import { type Entrance, needsCertificate, useEntrances, whoGetsIn } from "../facts/entrances.ts";
import { Branch } from "../widgets/branch.tsx";
import { Filter, useFilter } from "../widgets/field.tsx";
import { Chip, Empty, Loaded, None, Page } from "../widgets/page.tsx";

/** Who reaches what: a row for each entrance, from host to backend. What several share is highlighted together. */
export function MapPage() {
  const entrances = useEntrances();
  const names = useNames();
  const matches = useFilter();
  const onlyProblems = place.value.query.get("state") === "problems";
  const all = entrances.data;
  const shown = all?.filter(
    (entrance) =>
      (!onlyProblems || entrance.served.tone !== "good") &&
      matches(
        nameOf(entrance.edge),
        placeName(entrance),
        entrance.id,
        ...(entrance.edge.hostports ?? []),
        entrance.place,
        whoGetsIn(entrance, (id) => names(id).name),
      ),
  );
  return (
    <Page
      title="Map"
      facts={[
        all &&
          `${count(all.length, "place")} of ${count(new Set(all.map(({ edge }) => edge.id)).size, "edge")}`,
        "from the host to the backend",
      ]}
      actions={
        <button
          type="button"
          class="btn"
          aria-pressed={onlyProblems}
          onClick={() => setFilter("state", onlyProblems ? "" : "problems")}
        >
          Only problems
        </button>
      }
    >
      <div class="bar">
        <Filter label="Host, address, name or id" />
      </div>
      <Loaded query={{ ...entrances, data: shown }}>
        {(rows) =>
          rows.length > 0 ? (
            <Rows entrances={rows} />
          ) : all?.length === 0 ? (
            <Empty
              title="No places yet"
              actions={
                mayPlan.value && (
                  <a class="btn p" href={link("new_edge")}>
                    New edge
                  </a>
                )
              }
            >
              Each host and path that clients reach is shown here, with who gets in and where it leads.
            </Empty>
          ) : (
            <section class="panel">
              <None>{onlyProblems ? "No place has a problem." : "No place matches."}</None>
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}

const PAGE = 100;

function Rows({ entrances }: { entrances: Entrance[] }) {
  const [selected, setSelected] = useState("");
  const [most, setMost] = useState(PAGE);
  const backends = useBackends().data ?? [];
  const chosen = backends.find(({ id }) => id === selected);
  return (
    <>
      <div class="map-head meta wide" aria-hidden="true">
        <span>Host and port</span>
        <span>Edge</span>
        <span>Who gets in</span>
        <span>Goes to</span>
      </div>
      <ul class="map" aria-label="Places">
        {entrances.slice(0, most).map((entrance) => (
          <MapRow key={entrance.id} entrance={entrance} selected={selected} select={setSelected} />
        ))}
      </ul>
      {entrances.length > most && (
        <button type="button" class="btn" onClick={() => setMost(most + PAGE)}>
          Show more
        </button>
      )}
      {chosen && <BackendTree backend={chosen} all={backends} />}
    </>
  );
}

interface RowProps {
  entrance: Entrance;
  selected: string;
  select: (id: string) => void;
}

function MapRow({ entrance, selected, select }: RowProps) {
  const names = useNames();
  const { edge, route, restriction, backend, served } = entrance;
  const policies = restriction?.enabled ? (restriction.ip_policies ?? []) : [];
  const to = backend?.enabled ? backend.backend.id : undefined;
  const at = (id: string | undefined): string => (id !== undefined && id === selected ? "on" : "");
  return (
    <li class={served.kind === "not served" ? "map-row broken" : "map-row"}>
      <code class="cut">
        {(edge.hostports ?? []).join(", ")}
        {route?.match}
      </code>
      <a
        class={`node ${served.tone === "bad" || served.tone === "warn" ? served.tone : ""}`}
        href={edgeLink(edge.id, route?.id)}
      >
        <bdi class="b cut">{placeName({ edge, route })}</bdi>
        <span class="meta">
          {edge.kind.toUpperCase()} · {served.text}
        </span>
      </a>
      {policies.length === 0 ? (
        <span class="node none">
          <span>{whoGetsIn(entrance, (id) => names(id).name)}</span>
          <span class="meta">
            {restriction
              ? restriction.enabled
                ? "no policies"
                : "restriction disabled"
              : "no IP restriction"}
          </span>
        </span>
      ) : (
        <a class={`node ${at(policies[0]?.id)}`} href={link("policies", policies[0]?.id)}>
          <bdi class="b cut">{policies.map(({ id }) => names(id).name).join(", ")}</bdi>
          <span class="meta">{needsCertificate(edge) ? "and a certificate" : "IP policy"}</span>
        </a>
      )}
      {to === undefined ? (
        <span class="node none bad">
          <span class="b">No backend</span>
          <span class="meta">nothing is served</span>
        </span>
      ) : (
        <button
          type="button"
          class={`node ${at(to)}`}
          aria-pressed={to === selected}
          onClick={() => select(to)}
        >
          <bdi class="b cut">{names(to).name}</bdi>
          <span class="meta">{names(to).kind}</span>
        </button>
      )}
    </li>
  );
}

function BackendTree({ backend, all }: { backend: BackendObject; all: BackendObject[] }) {
  return (
    <section class="panel" aria-live="polite">
      <header>
        <h2>
          <bdi>{nameOf(backend)}</bdi>
        </h2>
        <Chip>{describeBackend(backend)}</Chip>
      </header>
      <ul class="tree">
        <Branch backend={backend} all={all} depth={0} />
      </ul>
    </section>
  );
}
