/*
 * The service, with its log line built but not written. Locally, each line goes through workerd's formatting and a pipe
 * to Miniflare's process on the same cores.
 */

console.info = () => {};

export { default } from "./service.ts";
