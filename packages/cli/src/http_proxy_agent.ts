import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";

// A file of its own, because in the bundle `import()` of a CommonJS package finds none of its names.
/** Sends the requests of `fetch` through the proxies that the environment names. */
export const sendThroughProxies = (): void => setGlobalDispatcher(new EnvHttpProxyAgent());
