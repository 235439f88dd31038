import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";

// This is a separate file because, in the bundle, `import()` of a CommonJS package finds none of the package's exports.
/** Sends the requests of `fetch` through the proxies that the environment names. */
export const sendThroughProxies = (): void => setGlobalDispatcher(new EnvHttpProxyAgent());
