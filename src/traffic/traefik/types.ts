/*
 * The parts of Traefik's dynamic configuration (v3) that the service uses. Maps and lists are never empty.
 */

export interface TraefikConfiguration {
  http?: Partial<HttpPart>;
  tcp?: Partial<TcpPart>;
  tls?: { options?: Record<string, TlsOptions> };
}
export interface HttpPart {
  routers: Record<string, HttpRouter>;
  services: Record<string, HttpService>;
  middlewares: Record<string, HttpMiddleware>;
  serversTransports: Record<string, { serverName: string }>;
}
export interface TcpPart {
  routers: Record<string, TcpRouter>;
  services: Record<string, TcpService>;
  middlewares: Record<string, TcpMiddleware>;
  serversTransports: Record<string, { tls: { serverName: string } }>;
}
interface Router {
  entryPoints: string[];
  rule: string;
  service: string;
  middlewares?: string[];
}
interface HttpRouter extends Router {
  priority: number;
  tls: { options: string };
}
interface TcpRouter extends Router {
  tls?: { passthrough: true } | { options: string };
}
export interface Weighted {
  weighted: { services: { name: string; weight: number }[] };
}
type HttpService = Weighted | { loadBalancer: { servers: { url: string }[]; serversTransport?: string } };
type TcpService =
  | Weighted
  | { loadBalancer: { servers: { address: string; tls?: boolean }[]; serversTransport?: string } };
export type HttpMiddleware =
  | { ipAllowList: { sourceRange: string[]; rejectStatusCode?: number } }
  | { compress: Record<string, never> }
  | { headers: Record<string, Record<string, string>> };
interface TcpMiddleware {
  ipAllowList: { sourceRange: string[] };
}
export interface TlsOptions {
  minVersion: string;
  alpnProtocols?: string[];
  clientAuth?: { caFiles: string[]; clientAuthType: "RequireAndVerifyClientCert" };
}
