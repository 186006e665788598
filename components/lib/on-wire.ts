type Defined<T> = Exclude<T, undefined>
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** A value as JSON carries it: what is undefined is absent, and whoever reads it owns it. */
export type OnWire<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly (infer Item)[]
    ? OnWire<Item>[]
    : { -readonly [K in Exclude<keyof T, OptionalKeys<T>>]: OnWire<T[K]> } & {
        -readonly [K in OptionalKeys<T>]?: OnWire<Defined<T[K]>>
      }

/** What a server component read, under the type that the client knows the same answer by. */
export function onWire<T>(value: T): OnWire<T> {
  return value as OnWire<T>
}
