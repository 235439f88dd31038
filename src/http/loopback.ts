/** `localhost` and every name under it (RFC 6761 §6.3), 127.0.0.0/8 and ::1, as a URL writes hosts. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** True for an absolute URL whose host is the caller's own machine: nothing of a request to it goes over a network. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);
