import { type Fields, isFields } from "../api/client.ts";
import { textOf } from "./diff.ts";

/*
 * From the shape of responses to that of requests.
 */

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isFields).map(({ id }) => textOf(id)) : [];

/** A module as requests have it: with ids in place of references. */
export function asRequest(name: string, module: Fields): Fields {
  if (name === "backend") {
    const { backend, ...rest } = module;
    return { ...rest, backend_id: isFields(backend) ? backend["id"] : backend };
  }
  if (name === "ip_restriction") {
    const { ip_policies, ...rest } = module;
    return { ...rest, ip_policy_ids: idsIn(ip_policies) };
  }
  if (name === "mutual_tls") {
    const { certificate_authorities, ...rest } = module;
    return { ...rest, certificate_authority_ids: idsIn(certificate_authorities) };
  }
  return module;
}
