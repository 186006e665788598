/** A call of the operator API. Its files are named here and read when it is sent. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below `/operator`, unless `isWhole`. */
  readonly path: string
  /** Whether the path is complete, for an endpoint outside `/operator` that accepts the operator token. */
  readonly isWhole?: boolean
  readonly body?: Readonly<Record<string, unknown>>
  /** Members of the body whose value is read from a JSON file, by member. */
  readonly files?: Readonly<Record<string, string>>
  /** Members whose value is the text of a file, by member. */
  readonly texts?: Readonly<Record<string, string>>
  /** Members whose value is the list of certificates in a PEM file, by member. */
  readonly certificates?: Readonly<Record<string, string>>
  /** The file for the QR code of the returned offer, as SVG. */
  readonly qrFile?: string
}

export type Options = Readonly<Record<string, string | undefined>>

/** A command: its words, its arguments and options, and the call that it makes. */
export interface Command {
  readonly words: readonly string[]
  /** Names of positional arguments after the words. */
  readonly takes?: readonly string[]
  /** The options, all of which take a value; `required` is true where one must be given. */
  readonly options?: Readonly<Record<string, { readonly hint: string; readonly required?: boolean }>>
  readonly summary: string
  readonly toCall: (args: readonly string[], options: Options) => ApiCall
}
