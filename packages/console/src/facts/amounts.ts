import { clockSkew } from "../api/client.ts";

/** The service's time, in milliseconds. */
export const now = (): number => Date.now() + clockSkew.value;

/** A number with its noun: "1 rule", "2 rules". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
