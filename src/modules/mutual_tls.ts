import * as z from "zod";
import { exampleId, exampleRef, idSchema, Ref, refs } from "../../packages/model/src/ids.ts";
import {
  IDS,
  clearableList,
  requestObject,
  schema,
} from "../../packages/model/src/values/request_schemas.ts";
import type { StoredMutualTls } from "../db/column_types.ts";
import { type EdgeModule, enabled, isEnabled } from "./module.ts";

const description =
  "Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`.";
const authorities = "The certificate authorities that client certificates are verified against";

const MutualTlsModuleMutate = schema("MutualTlsModuleMutate", () => ({
  description,
  examples: [{ certificate_authority_ids: [exampleId("certificate_authority")] }],
  type: requestObject({
    enabled: enabled(),
    certificate_authority_ids: clearableList(idSchema("certificate_authority"), IDS)
      .describe(`${authorities}, as ids. They can be managed elsewhere: only the form of the ids is checked.`)
      .default(null),
  }),
}));

const MutualTlsModule = schema("MutualTlsModule", () => ({
  description,
  examples: [{ enabled: true, certificate_authorities: [exampleRef("certificate_authority")] }],
  type: z.strictObject({
    enabled: isEnabled(),
    certificate_authorities: z.array(Ref).nullable().describe(`${authorities}.`),
  }),
}));

/** The authorities that client certificates are verified against; for TLS edges and HTTPS edges. */
export const mutualTls: EdgeModule<"mutual_tls", StoredMutualTls, z.output<typeof MutualTlsModule>> = {
  name: "mutual_tls",
  title: "mutual TLS",
  about: description,
  mutate: MutualTlsModuleMutate,
  response: MutualTlsModule,
  toApi: (stored, origin) => ({
    enabled: stored.enabled,
    certificate_authorities: refs(origin, stored.certificate_authority_ids),
  }),
};
