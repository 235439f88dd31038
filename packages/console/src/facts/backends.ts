import type { BackendObject } from "../api/lists.ts";
import { count } from "./amounts.ts";

/*
 * Backends in words.
 */

/** What a backend does, in a few words. */
export function describeBackend(backend: BackendObject): string {
  if (backend.kind === "static") return `${backend.address}${backend.tls.enabled ? ", TLS" : ""}`;
  if (backend.kind === "http_response") return `answers ${backend.status_code}`;
  const children = childrenOf(backend).length;
  return backend.kind === "failover" ? `${children} in turn` : count(children, "share");
}

/** The children of a backend, each with its turn or its share. */
export function childrenOf(backend: BackendObject): { id: string; note: string }[] {
  if (backend.kind === "failover")
    return (backend.backends ?? []).map((id, index) => ({ id, note: `${index + 1}` }));
  if (backend.kind !== "weighted") return [];
  const weights = Object.entries(backend.backends ?? {});
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return weights.map(([id, weight]) => ({
    id,
    note: total === 0 ? "0 %" : `${Number(((weight / total) * 100).toFixed(1))} %`,
  }));
}

/** The kinds of backends, in words. */
export const backendKinds: Record<BackendObject["kind"], string> = {
  failover: "Fallback",
  weighted: "Weighted split",
  static: "Server",
  http_response: "Fixed response",
};
