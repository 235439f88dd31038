/** `true` for the type `never`: `const isNever: IsNever<typeof error> = false` only compiles if `error` is possible. */
export type IsNever<T> = [T] extends [never] ? true : false;
