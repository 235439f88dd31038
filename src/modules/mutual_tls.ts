import * as z from "zod";
import { exampleId, idSchema, Ref, refs } from "../../packages/model/src/ids.ts";
import { IDS, clearableList, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import { edgeModule, enabled, isEnabled } from "./module.ts";

const authorities = "The certificate authorities that client certificates are verified against";

/** The authorities that client certificates are verified against; for TLS edges and HTTPS edges. */
export const mutualTls = edgeModule({
  name: "mutual_tls",
  title: "mutual TLS",
  about:
    "Requires clients to present a certificate (mTLS). Cannot be enabled if `terminate_at` is `upstream`.",
  example: { certificate_authority_ids: [exampleId("certificate_authority")] },
  sent: () =>
    requestObject({
      enabled: enabled(),
      certificate_authority_ids: clearableList(idSchema("certificate_authority"), IDS)
        .describe(
          `${authorities}, as ids. They can be managed elsewhere: only the form of the ids is checked.`,
        )
        .default(null),
    }),
  shown: () =>
    z.strictObject({
      enabled: isEnabled(),
      certificate_authorities: z.array(Ref).nullable().describe(`${authorities}.`),
    }),
  toApi: (stored, origin) => ({
    enabled: stored.enabled,
    certificate_authorities: refs(origin, stored.certificate_authority_ids),
  }),
});
