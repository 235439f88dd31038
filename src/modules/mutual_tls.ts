import * as z from "zod";
import type { StoredMutualTls } from "../db/schema.ts";
import { idOf, Ref, refs } from "../kinds.ts";
import { list, members } from "../values/members.ts";
import { type EdgeModule, enabled } from "./module.ts";

const MutualTlsModuleMutate = members({
  enabled,
  certificate_authority_ids: list(idOf("certificate_authority")).default(null),
}).meta({ id: "MutualTlsModuleMutate" });

const MutualTlsModule = z
  .strictObject({ enabled: z.boolean(), certificate_authorities: z.array(Ref).nullable() })
  .meta({ id: "MutualTlsModule" });

/** The authorities that a client's certificate is checked against; of TLS edges and of HTTPS edges. */
export const mutualTls: EdgeModule<StoredMutualTls, z.infer<typeof MutualTlsModule>> = {
  name: "mutual_tls",
  title: "mutual TLS",
  mutate: MutualTlsModuleMutate,
  response: MutualTlsModule,
  toApi: (stored, origin) => ({
    enabled: stored.enabled,
    certificate_authorities: refs(origin, stored.certificate_authority_ids),
  }),
  references: () => [],
};
