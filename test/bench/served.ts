/** The size of a configuration to serve. */
export interface Size {
  edges: number;
  rulesOfEach: number;
}

/** The port of all edges with hostnames. TCP edges have one port each, from the second edge on. */
export interface Ports {
  named: number;
  first: number;
}

/** The domain of all edges. */
export const DOMAIN = "bench.test";

/** The id of an IP policy. */
export const policyId = (n: number): string => `ipp_${String(n).padStart(27, "0")}`;

/**
 * Statements that insert edges: of twenty, one is a TCP edge, one a TLS edge, and 18 are HTTPS edges with a route each.
 * Each has its own policy, in which one rule in ten denies and one in ten is IPv6, and its own backend: routes
 * alternate between a fixed response, a failover, a weighted and a static backend; the other edges have a static
 * backend.
 */
export function fillServed({ edges, rulesOfEach }: Size, { named, first }: Ports): string[] {
  const numbers = (name: string, from: number, to: number): string =>
    `${name}(${name}) as (select ${from} union all select ${name} + 1 from ${name} where ${name} < ${to})`;
  const insert = (into: string, values: string, where = "true"): string =>
    `with recursive ${numbers("i", 1, edges)} insert into ${into} select ${values} from i where ${where}`;
  const id = (prefix: string): string => `printf('${prefix}%027d', i)`;
  const when = "'2026-01-02T03:04:05Z'";
  const texts = `${when}, 'Object ' || i, '{"team":"network"}'`;
  const described = "id, created_at, description, metadata";
  const restriction = `json_object('enabled', json('true'), 'ip_policy_ids', json_array(${id("ipp_")}))`;
  const backend = (prefix: string): string => `json_object('enabled', json('true'), 'backend_id', ${prefix})`;
  const ofRoute = `case i % 4 when 0 then ${id("bkdhr_")} when 1 then ${id("bkdfo_")} when 2 then ${id("bkdwd_")} else ${id("bkdsc_")} end`;
  const termination = `'{"enabled":true,"terminate_at":"edge","min_version":"1.2"}'`;
  const host = `'host' || i || '.${DOMAIN}:'`;
  const [tcp, tls, https] = ["i % 20 = 0", "i % 20 = 1", "i % 20 > 1"];
  return [
    insert(
      `static_backends (${described}, address, tls)`,
      `${id("bkdsc_")}, ${texts}, '198.51.100.' || (1 + i % 250) || ':' || (1024 + i), '{"enabled":false}'`,
    ),
    insert(
      `http_response_backends (${described}, body, status_code)`,
      `${id("bkdhr_")}, ${texts}, 'Back soon ' || i, 503`,
    ),
    insert(
      `failover_backends (${described}, backends)`,
      `${id("bkdfo_")}, ${texts}, json_array(${id("bkdsc_")}, ${id("bkdhr_")})`,
    ),
    insert(
      `weighted_backends (${described}, backends)`,
      `${id("bkdwd_")}, ${texts}, json_object(${id("bkdsc_")}, 3, ${id("bkdhr_")}, 1)`,
    ),
    insert(`ip_policies (${described})`, `${id("ipp_")}, ${texts}`),
    `with recursive ${numbers("i", 1, edges)}, ${numbers("j", 1, rulesOfEach)}
      insert into ip_policy_rules (${described}, cidr, ip_policy_id, action)
      select printf('ipr_%027d', i * ${rulesOfEach} + j), ${texts},
        iif(j % 10 = 5, printf('2001:db8:%x:%x::/64', i, j), '10.' || (i >> 8) || '.' || (i & 255) || '.' || j || '/32'),
        ${id("ipp_")}, iif(j % 10 = 9, 'deny', 'allow') from i, j`,
    insert(
      `tcp_edges (${described}, hostports, backend, ip_restriction)`,
      `${id("edgtcp_")}, ${texts}, json_array(${host} || (${first} + i / 20)), ${backend(id("bkdsc_"))}, ${restriction}`,
      tcp,
    ),
    insert(
      `tls_edges (${described}, hostports, backend, ip_restriction, tls_termination)`,
      `${id("edgtls_")}, ${texts}, json_array(${host} || ${named}), ${backend(id("bkdsc_"))}, ${restriction}, ${termination}`,
      tls,
    ),
    insert(
      `https_edges (${described}, hostports)`,
      `${id("edghts_")}, ${texts}, json_array(${host} || ${named})`,
      https,
    ),
    insert(
      `https_edge_routes (edge_id, ${described}, match_type, match, backend, ip_restriction, compression)`,
      `${id("edghts_")}, ${id("edghtsrt_")}, ${texts}, 'path_prefix', '/', ${backend(ofRoute)}, ${restriction}, '{"enabled":true}'`,
      https,
    ),
  ];
}
