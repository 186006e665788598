/** One call of the operator API. Files are named here and read later. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/operator`, unless `isWhole`. */
  readonly path: string
  /** The path is whole: of an endpoint that takes the operator token beside other credentials. */
  readonly isWhole?: boolean
  readonly body?: Readonly<Record<string, unknown>>
  /** Members of the body whose value is a JSON file. */
  readonly files?: Readonly<Record<string, string>>
  /** Members whose value is the text of a file. */
  readonly texts?: Readonly<Record<string, string>>
  /** Members whose value is the list of the certificates in a PEM file. */
  readonly certificates?: Readonly<Record<string, string>>
  /** File that the QR code of the answered offer is written to, as SVG. */
  readonly qrFile?: string
}

export type Options = Readonly<Record<string, string | undefined>>

/** A command: its words, what follows them, and the call that it makes. */
export interface Command {
  readonly words: readonly string[]
  /** Names of positional arguments after the words. */
  readonly takes?: readonly string[]
  /** Options with a value; true where one is required. */
  readonly options?: Readonly<Record<string, { readonly hint: string; readonly required?: boolean }>>
  readonly summary: string
  readonly toCall: (args: readonly string[], options: Options) => ApiCall
}

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
