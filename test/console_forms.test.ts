import { expect, test } from "vitest";
import { valueOf, withValue } from "../packages/console/src/changes/fields.ts";
import { forms } from "../packages/console/src/changes/forms.ts";
import { modules, modulesOf, steps } from "../packages/console/src/changes/modules.ts";
import { contract } from "./support/contract.ts";

/*
 * The console's forms, as data.
 */

const role = "target.cloud_stream.auth.role.role_arn";

test("an inner object whose last field is emptied is left out, so that another one can take its place", () => {
  const given = withValue({ target: { cloud_stream: { stream_arn: "arn" } } }, role, "role");
  expect(valueOf(given, role)).toBe("role");
  const emptied = withValue(given, role, undefined);
  expect(emptied).toEqual({ target: { cloud_stream: { stream_arn: "arn" } } });
  // The service removes the account if it gets an empty object.
  const account = "external_account.key_id";
  expect(withValue(withValue({}, account, "id"), account, undefined)).toEqual({ external_account: {} });
});

/** Fields of modules, targets and accounts: what is emptied is left out of an object that is replaced as a whole. */
const isReplaced = (name: string): boolean =>
  name.split(".")[0] === "external_account" || (name.split(".")[0] ?? "") in modules;

test("each field that can be emptied later says what it is then", () => {
  const silent = Object.entries(forms).flatMap(([kind, { fields }]) =>
    fields
      .filter(({ name, type, isRequired, isFixed, empty }) => {
        const isChosen = ["tick", "number", "weights", "order", "sources"].includes(type);
        return (
          !isChosen && isRequired !== true && isFixed !== true && empty === undefined && !isReplaced(name)
        );
      })
      .map(({ name }) => `${kind} ${name}`),
  );
  expect(silent).toEqual([]);
});

test("each kind of edge, and a route, can get exactly the modules that the API has for it", () => {
  const schemas = { https: "HttpsEdge", tls: "TlsEdge", tcp: "TcpEdge", route: "HttpsEdgeRoute" };
  const offered = steps.flatMap(({ modules: group }) => Object.keys(group));
  expect(offered.toSorted()).toEqual(Object.keys(modules).toSorted());
  for (const [kind, schema] of Object.entries(schemas)) {
    const fields = Object.keys(contract.components.schemas[`${schema}Create`].properties);
    expect(modulesOf(kind).toSorted()).toEqual(offered.filter((name) => fields.includes(name)).toSorted());
  }
});
