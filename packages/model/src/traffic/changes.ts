import * as z from "zod";
import { anyBackend } from "../kinds.ts";
import { programSchema } from "../policy/base/program.ts";
import type { PolicyOwner } from "../policy/compile.ts";
import { list, object, outlinedAs } from "../schemas.ts";
import { endsOfRanges, id, integer, ranges } from "./snapshot.ts";
import { type StoredSnapshot, storedLists } from "./stored_snapshot.ts";

/*
 * Changes of what is stored, from which an agent resolves its snapshot itself: after a change, it reads only the objects that have
 * changed. The service documents the response with this schema, and the agent checks it with the same, since strings in it become
 * HAProxy's configuration.
 */

const servedKinds = [
  "tcp_edge",
  "tls_edge",
  "https_edge",
  "https_edge_route",
  "ip_policy",
  "certificate_authority",
  ...anyBackend,
] as const;

const finding = () =>
  object({
    severity: z.enum(["error", "warning"]),
    code: z.string(),
    path: z.string(),
    offset: z.number().nullable(),
    msg: z.string(),
  });

const difference = () =>
  object({
    add: ranges(),
    remove: ranges(),
    expires_at: endsOfRanges().describe("When added ranges expire (RFC 3339), by range.").exactOptional(),
  });

/** The schema of changes. */
export const changesSchema = z.lazy(() =>
  object({
    from: integer(0, Number.MAX_SAFE_INTEGER)
      .nullable()
      .describe("The version that these changes follow; null if they are the whole configuration."),
    version: integer(0, Number.MAX_SAFE_INTEGER).describe("Number of the newest change."),
    next: z.string().describe("The parameter `since` of the next request."),
    put: outlinedAs(storedLists(), z.looseObject({})).describe(
      "New and changed objects as they are stored, by kind. The form belongs to this version of the service; agents of the same version read it.",
    ),
    rules: list(
      object({
        policy: id("ip_policy").describe("Id of the policy."),
        allow: difference().describe("Ranges that are allowed from now on, or no longer."),
        deny: difference().describe("Ranges that are denied from now on, or no longer."),
      }),
    ).describe(
      "Changed rules of policies that have few changes. Other policies are in `put`, with all rules.",
    ),
    deleted: list(id(...servedKinds)).describe(
      "Ids of deleted objects. Routes of a deleted edge are not listed.",
    ),
    compiled: outlinedAs(
      list(
        object({
          target: z.enum(["tcp_edge", "tls_edge", "https_edge_route"]),
          value: z.string(),
          verdict: z.enum(["enforced", "invalid", "not_enforced"]),
          findings: list(finding()),
          program: programSchema().nullable(),
        }),
      ),
      z.array(z.looseObject({})),
    ).describe("The traffic policies of the objects in `put`, compiled."),
  }).meta({
    id: "SnapshotChanges",
    description: "Changes of what is served, as it is stored.",
    examples: [
      {
        from: 4711,
        version: 4713,
        next: "b18d7a52e6c94f07-stored-2-4713",
        put: { tcp: [], tls: [], https: [], routes: [], policies: [], backends: [], authorities: [] },
        rules: [
          {
            policy: "ipp_2tGaAbFG7mQ6WZkLxNcuYb4Xo1d",
            allow: { add: ["198.51.100.0/24"], remove: [] },
            deny: { add: [], remove: [] },
          },
        ],
        deleted: [],
        compiled: [],
      },
    ],
  }),
);

export type Changes = z.output<typeof changesSchema>;

/** Identifies a compiled policy. */
export const policyKey = (target: PolicyOwner, value: string): string => `${target} ${value}`;

/** The enabled traffic policies of stored objects, with what each belongs to. */
export const policiesIn = ({
  tcp,
  tls,
  routes,
}: Pick<StoredSnapshot, "tcp" | "tls" | "routes">): { target: PolicyOwner; value: string }[] =>
  [
    ...tcp.map((edge) => ["tcp_edge", edge] as const),
    ...tls.map((edge) => ["tls_edge", edge] as const),
    ...routes.map((route) => ["https_edge_route", route] as const),
  ].flatMap(([target, { traffic_policy }]) =>
    traffic_policy?.enabled ? [{ target, value: traffic_policy.value }] : [],
  );
