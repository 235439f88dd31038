import "./common.ts";
import { useEdges } from "../api/queries.ts";
import { place } from "../base/routes.ts";
import { urlOf } from "../facts/entrances.ts";
import { Loaded, Page } from "../widgets/page.tsx";
import { Simulator } from "../widgets/simulator.tsx";

/** What becomes of a request: at the URL in the address, or at the newest edge. */
export function Simulate() {
  const edges = useEdges();
  return (
    <Page
      title="Simulate a request"
      facts={["how the configuration handles a request, step by step", "nothing is sent"]}
    >
      <Loaded query={edges}>
        {(all) => {
          const [first] = all;
          const url = place.value.query.get("url") ?? (first ? urlOf(first) : "https://www.example.com/");
          return (
            <div class="narrow">
              <Simulator key={url} url={url} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
