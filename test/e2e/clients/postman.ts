import { readFileSync, writeFileSync } from "node:fs";
import { exampleId } from "../../../packages/model/src/ids.ts";
import { type Kind, kinds } from "../../../packages/model/src/kinds.ts";

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
const isJson = /json/.test(pm.response.headers.get("Content-Type"));
if (pm.response.code === 200 && isJson) {
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

/** Statuses of requests that cannot succeed in the order of the document, with the API key of an operator. */
const REJECTED: Record<string, number> = {
  // Nothing is subscribed to a new destination.
  "Replay events to an event destination": 409,
  "Resume delivery to an event destination": 409,
  // It has no ETag of a plan to send as If-Match.
  "Apply a plan": 400,
  // The example is a request for another host than that in the collection's path, so nothing is ordered that could be renewed.
  "Request a certificate": 400,
  "Renew a certificate": 404,
  // The interval of the example has been over for long.
  "Report an agent's traffic": 400,
  // It is set after it is read.
  "Get the API restriction": 404,
  // There are no users before people sign in, and an API key has no keys or sessions of its own.
  "Get a user": 404,
  "Update a user": 404,
  "Delete a user": 404,
  "Delete the sessions of a user": 404,
  "Create a key for yourself": 403,
  "List your own keys": 403,
  "Get one of your own keys": 403,
  "Delete one of your own keys": 403,
  "Create a session with an API key": 403,
  "Delete the session of this browser": 401,
};

/** The failed requests of a newman run, each with its status; undefined without a response. */
export function failuresIn(path: string): { name: string; status: number | undefined }[] {
  const { run }: Run = JSON.parse(readFileSync(path, "utf8"));
  return run.executions
    .map(({ item, response }) => ({ name: item.name, status: response?.code }))
    .filter(({ name, status }) => status === undefined || (status >= 300 && status !== REJECTED[name]));
}
