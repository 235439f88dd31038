import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Certificate } from "./certificates.ts";

/*
 * Continuous requests over kept-alive and new connections.
 */

export interface Load {
  /** Requests with the expected response. */
  done: () => number;
  failures: string[];
  stop: () => Promise<void>;
}

const PAUSE_MILLISECONDS = 40;
const ANSWERED_WITHIN_MILLISECONDS = 5_000;

/** Requests each URL continuously, over a kept-alive connection and, concurrently, over a new connection each time. */
export function startLoad(urls: string[], authority: Certificate): Load {
  const failures: string[] = [];
  const state = { isOver: false, done: 0 };
  const ca = authority.pem;
  const loop = async (url: string, isKept: boolean): Promise<void> => {
    const { protocol, hostname } = new URL(url);
    const options = isKept ? { keepAlive: true, maxSockets: 1 } : { keepAlive: false };
    const agent = protocol === "https:" ? new HttpsAgent({ ...options, ca }) : new HttpAgent(options);
    for (let n = 0; !state.isOver; n += 1) {
      const began = Date.now();
      const fault = await once(url, hostname, agent, n);
      if (fault === undefined) state.done += 1;
      else
        failures.push(
          `${new Date(began).toISOString()} ${url} ${isKept ? "kept" : "new"} ${n}, ${Date.now() - began} ms: ${fault}`,
        );
      await sleep(PAUSE_MILLISECONDS);
    }
    agent.destroy();
  };
  const loops = urls.flatMap((url) => [loop(url, true), loop(url, false)]);
  return {
    done: () => state.done,
    failures,
    stop: async () => {
      state.isOver = true;
      await Promise.all(loops);
    },
  };
}

/** The error of a request, or undefined. Host names resolve to 127.0.0.1. */
function once(
  url: string,
  servername: string,
  agent: HttpAgent | HttpsAgent,
  n: number,
): Promise<string | undefined> {
  const { protocol, port, pathname, host } = new URL(url);
  return new Promise((resolve) => {
    const make = protocol === "https:" ? httpsRequest : httpRequest;
    const isPost = n % 4 === 0;
    const request = make(
      {
        host: "127.0.0.1",
        port,
        path: `${pathname}?${n}`,
        method: isPost ? "POST" : "GET",
        agent,
        timeout: ANSWERED_WITHIN_MILLISECONDS,
        headers: { Host: host },
        ...(protocol === "https:" && { servername }),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", (error) => resolve(`within the response: ${error.message}`));
        response.on("close", () => {
          if (response.statusCode !== 200) resolve(`status ${response.statusCode} ${text.slice(0, 100)}`);
          else resolve(text.includes(`?${n}"`) ? undefined : `another response: ${text.slice(0, 100)}`);
        });
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", (error) =>
      resolve(`${error.message}${request.reusedSocket ? " on a kept connection" : ""}`),
    );
    request.end(isPost ? "a body" : undefined);
  });
}
