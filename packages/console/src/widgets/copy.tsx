import { useEffect, useState } from "preact/hooks";
import { type Copies, curlOf, yamlOf } from "../facts/copies.ts";

/** Buttons that copy an object as a request and as the lines of a file. */
export function Copy({ copies }: { copies: Copies }) {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setOutcome(""), 3_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (what: string, text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome(`Copied the ${what}`),
      () => setOutcome("The browser did not allow it"),
    );
  };
  return (
    <p class="bar">
      <button
        type="button"
        class="btn sm"
        onClick={() => copy("request", curlOf(copies.request, location.origin))}
      >
        Copy as a request
      </button>{" "}
      <button type="button" class="btn sm" onClick={() => copy("file", yamlOf(copies.file))}>
        Copy as a file
      </button>{" "}
      <span class="t3 sm" role="status">
        {outcome}
      </span>
    </p>
  );
}
