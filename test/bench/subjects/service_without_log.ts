/*
 * The service with its log line made and written nowhere: what is left of the way to the floor. Locally each line goes
 * through workerd's own formatting and a pipe to Miniflare's process, which has the same cores.
 */

console.info = () => {};

export { default } from "./service.ts";
