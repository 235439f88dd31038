/*
 * A browser without a screen: it keeps cookies by origin, and follows one redirect at a time.
 */

export interface Jar {
  cookies: Map<string, Map<string, string>>;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

export function newJar(): Jar {
  const cookies: Jar["cookies"] = new Map();
  return {
    cookies,
    fetch: async (url, init = {}) => {
      const { origin } = new URL(url);
      const own = cookies.get(origin) ?? new Map<string, string>();
      cookies.set(origin, own);
      const headers = new Headers(init.headers);
      if (own.size > 0) headers.set("Cookie", Array.from(own, (pair) => pair.join("=")).join("; "));
      const response = await fetch(url, { ...init, headers, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "" || /max-age=0/i.test(line)) own.delete(name);
        else own.set(name, value);
      }
      return response;
    },
  };
}

/** Follows redirects until a response is not one, or leads to `end`; returns that address. */
export async function follow(jar: Jar, url: string, end: RegExp): Promise<string> {
  let next = url;
  for (let i = 0; i < 10; i++) {
    if (end.test(next)) return next;
    const response = await jar.fetch(next);
    const location = response.headers.get("Location");
    if (location === null) return next;
    next = new URL(location, next).href;
  }
  throw new Error(`too many redirects from ${url}`);
}
