import { readFileSync, writeFileSync } from "node:fs";
import { exampleId } from "../../../src/ids.ts";
import { type Kind, kinds } from "../../../src/kinds.ts";

/*
 * A Postman collection made by openapi-to-postmanv2, and the preparation that a user does before running it.
 */

interface Folder {
  item: (Folder | Request)[];
}

interface Request {
  request: { method: string };
}

interface Collection extends Folder {
  event?: object[];
}

/** Sets the variable named after an id's prefix (`ipp`) to the id of each new object, and `ev` to the id of a listed event. */
const REMEMBER = `
if (pm.response.code === 200) {
  const { events } = pm.response.json();
  if (events?.[0]?.event_id !== undefined) pm.collectionVariables.set("ev", events[0].event_id);
}
if (pm.response.code === 201) {
  const { id } = pm.response.json();
  if (id !== undefined) pm.collectionVariables.set(id.slice(0, id.indexOf("_")), id);
}
`;

/**
 * Rewrites the collection at `path`, so that its requests succeed one after the other: ids in examples become variables, which
 * are set to the ids of created objects. Created objects are deleted at the end, in reverse order.
 *
 * @returns the number of requests
 */
export function prepareCollection(path: string): number {
  let text = readFileSync(path, "utf8");
  for (const kind of Object.keys(kinds) as Kind[])
    text = text.replaceAll(exampleId(kind), `{{${kinds[kind].prefix.slice(0, -1)}}}`);
  const collection: Collection = JSON.parse(text);
  const requests = requestsIn(collection);
  const isDelete = ({ request }: Request): boolean => request.method === "DELETE";
  const item = [...requests.filter((one) => !isDelete(one)), ...requests.filter(isDelete).toReversed()];
  const event = [{ listen: "test", script: { type: "text/javascript", exec: REMEMBER.split("\n") } }];
  writeFileSync(path, JSON.stringify({ ...collection, event, item }));
  return requests.length;
}

const requestsIn = ({ item }: Folder): Request[] =>
  item.flatMap((one) => ("item" in one ? requestsIn(one) : [one]));

interface Run {
  run: { executions: { item: { name: string }; response?: { code: number } }[] };
}

/** Statuses of requests that cannot succeed in the order of the document: nothing is subscribed to a new destination. */
const REFUSED: Record<string, number> = {
  "Replay events to an event destination": 409,
  "Resume delivery to an event destination": 409,
  // It has no ETag of a plan to send as If-Match.
  "Apply a plan": 400,
};

/** The failed requests of a newman run, each with its status; undefined without a response. */
export function failuresIn(path: string): { name: string; status: number | undefined }[] {
  const { run }: Run = JSON.parse(readFileSync(path, "utf8"));
  return run.executions
    .map(({ item, response }) => ({ name: item.name, status: response?.code }))
    .filter(({ name, status }) => status === undefined || (status >= 300 && status !== REFUSED[name]));
}
