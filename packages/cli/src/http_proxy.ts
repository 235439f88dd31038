/*
 * The HTTP proxy between this machine and the service, if the environment names one: $HTTPS_PROXY, $HTTP_PROXY, $NO_PROXY, also in lower
 * case.
 */

const isSet = (name: string): boolean =>
  Boolean(process.env[name.toUpperCase()] || process.env[name.toLowerCase()]);

/** Which variable names a proxy for a URL, if one does. It may not apply, because of $NO_PROXY. */
export function proxyVariableFor(url: string): string | undefined {
  const name = url.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  return isSet(name) ? name : undefined;
}

let isDone = false;

/** Sends the requests that follow through the proxies of the environment. Node does this itself only since version 24. */
export async function useProxies(): Promise<void> {
  if (isDone || !(isSet("https_proxy") || isSet("http_proxy"))) return;
  isDone = true;
  // Rarely needed, and large.
  const { sendThroughProxies } = await import("./http_proxy_agent.ts");
  sendThroughProxies();
}
