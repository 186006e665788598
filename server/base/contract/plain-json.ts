/**
 * What travels between a page and its procedures is JSON by its types already, so it is sent as it is. tRPC takes this for
 * a transformer; without one it would give server and browser different types for the same answer.
 */
export const plainJson = {
  serialize: (value: unknown): unknown => value,
  deserialize: (value: unknown): unknown => value,
}

/** `T` where JSON carries it unchanged; a date, a function or a map in it becomes `never`, which nothing fits. */
export type PlainJson<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends object
    ? T extends Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...input: never) => unknown)
      ? never
      : { [K in keyof T]: PlainJson<T[K]> }
    : never
