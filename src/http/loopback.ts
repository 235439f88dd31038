/** `localhost` and every name under it (RFC 6761 §6.3), 127.0.0.0/8 and ::1, as URLs write hosts; with any port. */
const LOOPBACK = /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?\//;

/** True for an absolute URL whose host is the caller's own machine: nothing of a request to it goes over a network. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(url);
