import * as z from "zod";
import type { StoredMutualTls } from "../db/schema.ts";
import { exampleId, exampleRef, idSchema, Ref, refs } from "../ids.ts";
import { IDS, clearableList, requestObject } from "../values/members.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const MutualTlsModuleMutate = z.lazy(() =>
  requestObject({
    enabled: enabled(),
    certificate_authority_ids: clearableList(idSchema("certificate_authority"), IDS)
      .describe("The authorities that a client's certificate is checked against.")
      .default(null),
  }).meta({
    id: "MutualTlsModuleMutate",
    description: "Mutual TLS. While enabled, it excludes `terminate_at: upstream`.",
    examples: [{ certificate_authority_ids: [exampleId("certificate_authority")] }],
  }),
);

const MutualTlsModule = z.lazy(() =>
  z.strictObject({ enabled: isEnabled(), certificate_authorities: z.array(Ref).nullable() }).meta({
    id: "MutualTlsModule",
    description: "The authorities that a client's certificate is checked against.",
    examples: [{ enabled: true, certificate_authorities: [exampleRef("certificate_authority")] }],
  }),
);

/** The authorities that client certificates are verified against; for TLS edges and HTTPS edges. */
export const mutualTls: EdgeModule<"mutual_tls", StoredMutualTls, z.output<typeof MutualTlsModule>> = {
  name: "mutual_tls",
  title: "mutual TLS",
  mutate: MutualTlsModuleMutate,
  response: MutualTlsModule,
  toApi: (stored, origin) => ({
    enabled: stored.enabled,
    certificate_authorities: refs(origin, stored.certificate_authority_ids),
  }),
};
