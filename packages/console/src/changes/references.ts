/*
 * References to new objects, which have no id yet: `$n1` stands for the id of the object that the change `n1` creates. It can be part of
 * a path, a string or a key.
 */

const mentions = (name: string): RegExp => new RegExp(`(["/])\\$${name}(?=["/])`, "g");

/** True if a value refers to the new object with the given name. */
export const refersTo = (value: unknown, name: string): boolean => mentions(name).test(JSON.stringify(value));

/** Replaces the references to a new object with its id. */
export const withId = (value: unknown, name: string, id: string): unknown =>
  JSON.parse(JSON.stringify(value).replace(mentions(name), `$1${id}`));
