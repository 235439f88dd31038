import { Agent, request } from "node:http";
import type { Work } from "./subjects/metered.ts";

/** One request to be sent. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Milliseconds after which an idle connection is closed: sooner than workerd closes it, which could reset the next request. */
const IDLE = 2_000;

/** Keep-alive connections to one origin on this machine. */
export class Client {
  readonly #origin: URL;
  readonly #agent: Agent;

  constructor(origin: URL, connections = 8) {
    this.#origin = origin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE });
  }

  send({ method, path, headers, body }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#origin;
      const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
      const sent = request(
        { hostname, port, method, path, agent: this.#agent, headers: { ...headers, ...length } },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  /**
   * Sends `count` requests, `concurrency` of them at a time; returns the seconds that this took.
   *
   * @throws at the first response with a status other than `status`
   */
  async run(make: (n: number) => Sent, status: number, count: number, concurrency = 8): Promise<number> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const sent = make(next++);
        const answer = await this.send(sent);
        if (answer.status !== status)
          throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: concurrency }, worker));
    return (performance.now() - started) / 1000;
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const ROOT_KEY = "root-key-of-the-bench";

/** The headers of a request to the API. */
export const headersOf = (key: string): Record<string, string> => ({
  Authorization: `Bearer ${key}`,
  "Content-Type": "application/json",
  "Service-Version": "2",
});

/** A response, and how long it took. */
interface Timed extends Answer {
  milliseconds: number;
}

/** The API of one service. */
export class Api {
  readonly #client: Client;
  readonly #key: string;

  constructor(origin: URL, key = ROOT_KEY) {
    this.#client = new Client(origin);
    this.#key = key;
  }

  /** @throws unless the request succeeds, or has not changed since `etag` */
  async send(method: string, path: string, body?: object, etag?: string): Promise<Timed> {
    const started = performance.now();
    const answer = await this.#client.send({
      method,
      path,
      headers: { ...headersOf(this.#key), ...(etag !== undefined && { "If-None-Match": etag }) },
      body: body && JSON.stringify(body),
    });
    const milliseconds = performance.now() - started;
    if (answer.status >= 300 && !(etag !== undefined && answer.status === 304))
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return { ...answer, milliseconds };
  }

  close(): void {
    this.#client.close();
  }
}

/** The work that `subjects/metered.ts` reports for a request. */
export const workOf = ({ headers }: Pick<Answer, "headers">): Work =>
  JSON.parse(String(headers["bench-cost"]));
