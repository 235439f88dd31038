import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type RequestFailure, failureOf } from "../api/errors.ts";
import { place } from "../base/routes.ts";

/*
 * What every page has: a heading, which gets the focus, and its states.
 */

/** A page: where it is, its heading, its actions, its content. */
export function Page(props: {
  title: string;
  /** The link back to the list. */
  of?: { name: string; href: string };
  subtitle?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const where = place.value.path.join("/");
  useEffect(() => {
    document.title = `${props.title} · Edge configuration`;
  }, [props.title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [where]);
  return (
    <>
      {props.of && (
        <nav class="crumbs" aria-label="Breadcrumbs">
          <a href={props.of.href}>{props.of.name}</a> <span aria-hidden="true">/</span>{" "}
          <span dir="auto" class="cut">
            {props.title}
          </span>
        </nav>
      )}
      <div class="head">
        <div class="grow">
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {props.title}
          </h1>
          {props.subtitle !== undefined && <div class="t2">{props.subtitle}</div>}
        </div>
        {props.actions !== undefined && <div class="r">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}

/** A box with a heading. */
export function Panel(props: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) {
  return (
    <section class={`panel ${props.class ?? ""}`}>
      <header>
        <h2>{props.title}</h2>
        {props.aside !== undefined && <span class="r">{props.aside}</span>}
      </header>
      {props.children}
    </section>
  );
}

/** A short label; its colour repeats what it says. */
export function Chip({ tone, children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone ?? ""}`}>{children}</span>;
}

/** What a colour means: red is not served, amber waits, green is served, blue is selected. */
export type Tone = "bad" | "warn" | "good" | "acc" | "note";

/** A failed request: what the service said, and what to do. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const failure: RequestFailure = failureOf(error);
  return (
    <div class="notice bad" role="alert">
      <p>{failure.message}</p>
      {failure.fields.length > 0 && (
        <ul>
          {failure.fields.map(({ path, msg }) => (
            <li key={path}>
              <code>{path}</code> {msg}
            </li>
          ))}
        </ul>
      )}
      <p class="sm">
        {failure.operationId !== undefined && (
          <>
            Operation <code>{failure.operationId}</code>
          </>
        )}{" "}
        {retry && (
          <button type="button" class="btn" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

interface Queried<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Shows a query's data; until then its state: loading, rejected, not found. What is known stays. */
export function Loaded<T>({
  query,
  children,
}: {
  query: Queried<T>;
  children: (data: T) => ComponentChildren;
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.error !== null && <Problem error={query.error} retry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.error === null) return <Skeleton />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
}

/** A query's list: a row for each item, or a text if there is none. */
export function Rows<T>(props: {
  query: Queried<T[]>;
  empty: string;
  children: (item: T) => ComponentChildren;
}) {
  return (
    <Loaded query={props.query}>
      {(all) => (all.length === 0 ? <Empty>{props.empty}</Empty> : all.map((item) => props.children(item)))}
    </Loaded>
  );
}

/** Rows that are still loading. */
export function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {[1, 2, 3, 4].map((row) => (
        <i key={row} />
      ))}
    </div>
  );
}

/** An empty list: one sentence, and the action that ends it. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty t2">{children}</p>;
}

/** A page that does not exist, or no longer. */
export function NotFound({ what, id }: { what: string; id: string }) {
  return (
    <Page title={`There is no such ${what}`}>
      <p class="t2">
        <code>{id}</code> does not exist, or was deleted.
      </p>
    </Page>
  );
}

/** A page that the reader's role does not include. */
export function NotAllowed({ role }: { role: string }) {
  return (
    <Page title="You cannot see this page">
      <p class="t2">It needs the role {role}. Ask an admin for it.</p>
    </Page>
  );
}
