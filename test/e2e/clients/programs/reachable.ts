/** `false` for a type that no value has: `const isNever: IsNever<typeof error> = false` compiles only if `error` can be. */
export type IsNever<T> = [T] extends [never] ? true : false;
