/*
 * Types of packages without types, as used by the tests.
 */

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
