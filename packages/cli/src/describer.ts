import type { components } from "edge-configuration-client";
import { UserError } from "./errors.ts";
import { equal, getField, type Json, textOf, toJson } from "./json.ts";
import { kindOfId } from "./kinds.ts";
import { routeTitle, summaryOf } from "./names.ts";
import { type OutputLine, paint } from "./output.ts";
import { bodyOf, type ServiceAccess } from "./service.ts";

/*
 * Events in words: what was changed, of which object.
 */

type Event = components["schemas"]["Event"];

/** The most changes of fields in a line. */
const MOST_FIELDS = 5;
/** The longest value in a line. */
const LONGEST_VALUE = 60;
/** Fields that say nothing about a change. */
const IDENTITY = new Set(["id", "uri", "created_at", "ip_policy", "edge_id", "routes", "rules"]);

/** Describes events in words. Reads an object's previous state, and the name of the object that a rule or a route belongs to. */
export class Describer {
  readonly #api: ServiceAccess["api"];
  /** What objects are called, by id. */
  readonly #names = new Map<string, string>();

  constructor(api: ServiceAccess["api"]) {
    this.#api = api;
  }

  /** An event as a line: time, what happened, who did it, and the id of the event. */
  async lineOf(event: Event): Promise<OutputLine> {
    const { event_timestamp: at, principal, event_id } = event;
    const who = principal ? `  by ${principal.subject}` : "";
    return [`${at}  ${await this.#happened(event)}${who}  `, paint("dim", event_id)];
  }

  async #happened(event: Event): Promise<string> {
    const { object, event_type } = event;
    const verb = /_([a-z]+)\.v\d+$/.exec(event_type)?.[1] ?? "changed";
    const part = partOf(event);
    const owner = part && (await this.#nameOf(part.owner));
    if (!part) this.#names.set(object.id, nameOfObject(object));
    const subject = part?.title ?? `${nounOf(event)} ${nameOfObject(object)}`;
    switch (verb) {
      case "created":
        return part ? `${subject} added to ${owner}` : `${subject} created`;
      case "deleted":
        return part ? `${subject} removed from ${owner}` : `${subject} deleted`;
      case "updated":
        return `${subject} changed${part ? ` in ${owner}` : ""}${await this.#changes(event)}`;
      default:
        return `${subject} ${verb}`;
    }
  }

  /** What a change changed: ": address shop:1 → shop:2"; "" if the log does not say. */
  async #changes({ object, event_id, secrets_changed: secrets = [] }: Event): Promise<string> {
    const before = await this.#objectIn({ object_id: object.id, before_id: event_id });
    const names = before
      ? [...new Set([...Object.keys(before), ...Object.keys(object)])].filter((name) => !IDENTITY.has(name))
      : [];
    const changed = names.flatMap((name) => {
      const [from, to] = [before?.[name], object[name]].map(toJson);
      return equal(from, to) ? [] : [`${name}${valuesOf(from, to)}`];
    });
    const all = [...changed, ...secrets.map((path) => `${path.replace(/^\//, "")} (secret)`)];
    const more = all.length - MOST_FIELDS;
    const shown = all.slice(0, MOST_FIELDS).join(", ");
    return all.length === 0 ? "" : `: ${shown}${more > 0 ? ` and ${more} more` : ""}`;
  }

  /** What an object is called, according to its newest event. */
  async #nameOf(id: string): Promise<string> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const newest = await this.#objectIn({ object_id: id });
    const name = newest ? nameOfObject(newest) : id;
    this.#names.set(id, name);
    return name;
  }

  /** The object in the newest event of a query; undefined if there is none, or the service does not say. */
  async #objectIn(query: { object_id: string; before_id?: string }): Promise<Event["object"] | undefined> {
    try {
      return bodyOf(await this.#api.GET("/events", { params: { query: { ...query, limit: 1 } } })).events[0]
        ?.object;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return undefined;
    }
  }
}

/** "shop", or the id of an object that has neither a description nor anything that identifies it. */
function nameOfObject(object: Event["object"]): string {
  const description = textOf(getField(object, "description"));
  const summary = description || textOf(getField(object, "name")) || summaryOf(object);
  return summary === "" || summary.startsWith("created ") ? object.id : summary;
}

const nounOf = ({ object, event_type }: Event): string =>
  kindOfId(object.id)?.noun ?? event_type.replace(/_[a-z]+\.v\d+$/, "").replaceAll("_", " ");

/** A rule or a route, and the object that it belongs to. */
function partOf({ object }: Event): { title: string; owner: string } | undefined {
  if (object.id.startsWith("ipr_")) {
    const [cidr, action] = [textOf(getField(object, "cidr")), textOf(getField(object, "action"))];
    return { title: `rule ${cidr} ${action}`, owner: textOf(getField(getField(object, "ip_policy"), "id")) };
  }
  if (object.id.startsWith("edghtsrt_")) {
    // The event of a route that is managed elsewhere has neither its match nor its edge.
    const title = "match" in object ? routeTitle(object) : `route ${object.id}`;
    return { title, owner: object.uri.split("/").at(-3) ?? "" };
  }
  return undefined;
}

/** " from → to" for short values. */
function valuesOf(from: Json | undefined, to: Json | undefined): string {
  const [before, after] = [from, to].map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "none").trimEnd(),
  );
  const isShort = (text = ""): boolean => text.length <= LONGEST_VALUE && !/^\{|\n/.test(text);
  return isShort(before) && isShort(after) ? ` ${before} → ${after}` : "";
}
