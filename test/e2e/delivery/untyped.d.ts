/*
 * Types of packages without types, as used by the tests.
 */

declare module "aws4" {
  class RequestSigner {
    constructor(
      request: {
        method: string;
        path: string;
        headers: Record<string, string>;
        body: Uint8Array;
        service: string;
        region: string;
        doNotModifyHeaders: true;
      },
      credentials: { accessKeyId: string; secretAccessKey: string },
    );
    datetime: string;
    authHeader(): string;
  }
  const aws4: { RequestSigner: typeof RequestSigner };
  export default aws4;
}

declare module "kinesalite" {
  import type { Server } from "node:http";
  export default function kinesalite(options: { createStreamMs: number }): Server;
}

declare module "s3rver" {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
