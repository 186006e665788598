/**
 * A tRPC transformer that leaves values unchanged: the inputs and answers of procedures are plain JSON already. Without
 * a transformer tRPC would infer different types for the same answer on the server and in the browser.
 */
export const plainJson = {
  serialize: (value: unknown): unknown => value,
  deserialize: (value: unknown): unknown => value,
}

/** `T` if JSON preserves it; a date, a function, a map or a set in it becomes `never`. */
export type PlainJson<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends object
    ? T extends Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...input: never) => unknown)
      ? never
      : { [K in keyof T]: PlainJson<T[K]> }
    : never
