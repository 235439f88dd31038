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
