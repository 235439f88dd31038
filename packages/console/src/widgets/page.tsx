import { signal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type RequestFailure, failureOf } from "../api/errors.ts";
import { catchUp } from "../api/events.ts";
import { place } from "../base/routes.ts";
import { Icon } from "./icons.tsx";

/*
 * What every page has: a heading, which gets the focus, and its states.
 */

/** A page that another one belongs to. */
export interface Parent {
  name: string;
  href: string;
}

/** The open page and its parents, for the top bar. */
export const trail = signal<{ title: string; parents: Parent[] }>({ title: "", parents: [] });

/** A page: its heading and state, a line of facts, its actions, its content. */
export function Page(props: {
  title: string;
  /** What the heading of a list or an object is called in the top bar, if not as the heading. */
  name?: string;
  /** The pages that it belongs to, the outermost first. */
  of?: Parent[];
  state?: ComponentChildren;
  facts?: ComponentChildren[];
  /** A sentence below the heading. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** The page ends in a decision: on a phone, its actions replace the tabs. */
  isTask?: true;
  children: ComponentChildren;
}) {
  const { title, name = title, of = [] } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const where = place.value.path.join("/");
  useLayoutEffect(() => {
    trail.value = { title: name, parents: of };
    document.title = `${title} · Edge configuration`;
  }, [title, name, JSON.stringify(of)]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [where]);
  const facts = (props.facts ?? []).filter((fact) => fact !== undefined && fact !== null && fact !== false);
  return (
    <>
      <div class={props.isTask ? "head task" : "head"}>
        <div class="grow">
          <div class="title">
            <h1 ref={heading} tabIndex={-1} dir="auto">
              {title}
            </h1>
            {props.state}
          </div>
          {props.lead !== undefined && <p class="lead">{props.lead}</p>}
          {facts.length > 0 && (
            <ul class="facts">
              {facts.map((fact, index) => (
                <li key={index}>
                  <span>{index === 0 && typeof fact === "string" ? capitalized(fact) : fact}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
        {isShown(props.actions) && <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}

/** A text that begins with a capital letter. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const isShown = (children: ComponentChildren): boolean =>
  Array.isArray(children)
    ? children.some(isShown)
    : children !== undefined && children !== null && children !== false;

/** A box with a heading. */
export function Panel(props: {
  title: string;
  /** What is beside the heading, in small letters. */
  note?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  footer?: ComponentChildren;
}) {
  return (
    <section class="panel">
      <header>
        <h2>{props.title}</h2>
        {props.note !== undefined && <span class="meta">{props.note}</span>}
        {props.aside !== undefined && props.aside !== false && (
          <span class="push line meta">{props.aside}</span>
        )}
      </header>
      {props.children}
      {props.footer !== undefined && <footer>{props.footer}</footer>}
    </section>
  );
}

/** A short label that is no state. */
export function Chip({ tone, children }: { tone?: "acc" | "warn" | "bad"; children: ComponentChildren }) {
  return <span class={`chip ${tone ?? ""}`}>{children}</span>;
}

/** What is wrong or has to be known, why, and what ends it. */
export function Notice(props: {
  tone?: "warn" | "bad";
  title?: ComponentChildren;
  role?: "alert" | "status";
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const { tone } = props;
  return (
    <div class={`notice ${tone ?? ""}`} role={props.role}>
      {tone && <Icon name={tone === "bad" ? "error" : "warn"} />}
      <div class="grow">
        {props.title !== undefined && <h2>{props.title}</h2>}
        {props.children !== undefined && (
          <div class={props.title === undefined ? "" : "t2"}>{props.children}</div>
        )}
      </div>
      {isShown(props.actions) && <div class="actions">{props.actions}</div>}
    </div>
  );
}

/** A failed request: what the service said, and what to do. @param fields the rejected fields to list, if not all @param words changes the message */
export function Problem(props: {
  error: unknown;
  words?: (text: string) => string;
  retry?: (() => void) | undefined;
  fields?: RequestFailure["fields"];
}) {
  const { error, retry, words = String } = props;
  const failure = failureOf(error);
  const { fields = failure.fields } = props;
  return (
    <Notice
      tone="bad"
      role="alert"
      // The list has the rejected fields.
      title={words(fields.length > 0 ? failure.message.replace(/ \/\w[^]*$/, "") : failure.message)}
      actions={
        retry && (
          <button type="button" class="btn s" onClick={retry}>
            Try again
          </button>
        )
      }
    >
      {fields.length > 0 && (
        <ul>
          {fields.map(({ path, msg }) => (
            <li key={path}>
              {path.startsWith("/") ? <code>{path.slice(1).replaceAll(/[/_]/g, " ")}</code> : path} {msg}
            </li>
          ))}
        </ul>
      )}
      {failure.operationId !== undefined && (
        <details>
          <summary>Details</summary>
          Operation <code>{failure.operationId}</code>
        </details>
      )}
    </Notice>
  );
}

/** What a page reads: data, or why there is none. */
export interface Queried<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/**
 * Shows a query's data; until then its state: loading, rejected, not found. What is known stays.
 *
 * @param props.isQuiet whether nothing is shown while it loads
 */
export function Loaded<T>({
  query,
  isQuiet,
  children,
}: {
  query: Queried<T>;
  isQuiet?: boolean;
  children: (data: T) => ComponentChildren;
}) {
  if (query.data !== undefined)
    return (
      <>
        {query.error !== null && <Problem error={query.error} retry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    );
  if (query.error === null) return isQuiet ? null : <Skeleton />;
  return <Problem error={query.error} retry={() => void query.refetch()} />;
}

/** The page of something that is still being read, or that cannot be read. @param what such as "edge" */
export function Unread({ query, what }: { query: Queried<unknown>; what: string }) {
  if (query.error === null) return <Skeleton />;
  return (
    <Page title={`This ${what} cannot be shown`}>
      <Problem error={query.error} retry={() => void query.refetch()} />
    </Page>
  );
}

/** A query's list: a row for each item, or a text if there is none. */
export function Rows<T>(props: {
  query: Queried<T[]>;
  empty: ComponentChildren;
  children: (item: T) => ComponentChildren;
}) {
  return (
    <Loaded query={props.query}>
      {(all) =>
        all.length === 0 ? <None>{props.empty}</None> : <div>{all.map((item) => props.children(item))}</div>
      }
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

/** A panel or a list has nothing to show, in a sentence. */
export const None = ({ children }: { children: ComponentChildren }) => <p class="nothing">{children}</p>;

/** A page has no objects yet: what is missing, a sentence on what it is, and what ends it. */
export function Empty(props: { title: string; children: ComponentChildren; actions?: ComponentChildren }) {
  return (
    <section class="panel">
      <div class="empty">
        <b>{props.title}</b>
        <p>{props.children}</p>
        {isShown(props.actions) && <div class="line">{props.actions}</div>}
      </div>
    </section>
  );
}

interface Named {
  what: string;
  id: string;
}

/** A page that does not exist, or no longer. */
export function NotFound({ what, id }: Named) {
  return (
    <Page title={`There is no such ${what}`}>
      <p class="t2">
        <code>{id}</code> does not exist, or was deleted.
      </p>
    </Page>
  );
}

/**
 * An object that is not in its list. The list can be a few seconds old, so it is updated before the page says that the object does not
 * exist. If that fails, it is not known whether it exists.
 *
 * @param update updates the list, if the event log does not. Rejects if the list cannot be read
 */
export function NotListed({ what, id, update = catchUp }: Named & { update?: () => Promise<unknown> }) {
  const queryFn = async (): Promise<boolean> => {
    await update();
    return true;
  };
  const query = useQuery({ queryKey: ["not listed", id], queryFn, gcTime: 0 });
  return query.data ? <NotFound what={what} id={id} /> : <Unread query={query} what={what} />;
}

/** A page that the reader's role does not include. */
export function NotAllowed({ role, of = [] }: { role: string; of?: Parent[] }) {
  return (
    <Page title="You cannot see this page" of={of}>
      <p class="t2">It needs the role {role}. Ask an admin for it.</p>
    </Page>
  );
}
