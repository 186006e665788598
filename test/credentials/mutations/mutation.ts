/** One check of the verifiers, and how it looks when it is broken. */
export interface Mutation {
  /** What the broken verifier lets pass. */
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** The suites that are nearest to the check. */
  readonly tests: readonly string[]
}

/** The source with the check broken. */
export function breakCheck(source: string, { name, file, find, replace }: Mutation): string {
  const [before = '', after, ...more] = source.split(find)
  if (after === undefined || more.length > 0) throw new Error(`"${name}" does not occur once in ${file}`)
  return `${before}${replace}${after}`
}
