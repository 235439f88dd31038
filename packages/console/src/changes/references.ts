/*
 * References to new objects, which have no id yet: `$n1` stands for the id of the object that the change `n1` creates. It is a part of a
 * path, a string, or a key.
 */

const mentions = (name: string): RegExp => new RegExp(`(["/])\\$${name}(?=["/])`, "g");

/** Whether a value contains a reference to the new object with a name. */
export const refersTo = (value: unknown, name: string): boolean => mentions(name).test(JSON.stringify(value));

/** A value with an object's id in place of the references to it. */
export const withId = (value: unknown, name: string, id: string): unknown =>
  JSON.parse(JSON.stringify(value).replace(mentions(name), `$1${id}`));
