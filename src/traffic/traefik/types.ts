/*
 * The parts of Traefik's dynamic configuration (v3) that the service uses. Maps and lists are never empty.
 */

export interface TraefikConfiguration {
  http?: {
    routers?: Record<string, HttpRouter>;
    services?: Record<string, HttpService>;
    middlewares?: Record<string, HttpMiddleware>;
    serversTransports?: Record<string, { serverName: string }>;
  };
  tcp?: {
    routers?: Record<string, TcpRouter>;
    services?: Record<string, TcpService>;
    middlewares?: Record<string, TcpMiddleware>;
    serversTransports?: Record<string, { tls: { serverName: string } }>;
  };
  tls?: { options?: Record<string, TlsOptions> };
}
interface Router {
  entryPoints: string[];
  rule: string;
  service: string;
  middlewares?: string[];
}
export interface HttpRouter extends Router {
  priority: number;
  tls: { options: string };
}
export interface TcpRouter extends Router {
  tls?: { passthrough: true } | { options: string };
}
export interface Weighted {
  weighted: { services: { name: string; weight: number }[] };
}
export type HttpService =
  | Weighted
  | { loadBalancer: { servers: { url: string }[]; serversTransport?: string } };
export type TcpService =
  | Weighted
  | { loadBalancer: { servers: { address: string; tls?: boolean }[]; serversTransport?: string } };
export type HttpMiddleware =
  | { ipAllowList: { sourceRange: string[]; rejectStatusCode?: number } }
  | { compress: Record<string, never> }
  | { headers: Record<string, Record<string, string>> };
export interface TcpMiddleware {
  ipAllowList: { sourceRange: string[] };
}
export interface TlsOptions {
  minVersion: string;
  alpnProtocols?: string[];
  clientAuth?: { caFiles: string[]; clientAuthType: "RequireAndVerifyClientCert" };
}
