import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";

/** Sends the requests of `fetch` through the proxies that the environment names. */
export const sendThroughProxies = (): void => setGlobalDispatcher(new EnvHttpProxyAgent());
