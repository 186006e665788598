/** A letter of Article 6(1) GDPR: a contract with the person, a legal obligation, or a legitimate interest. */
export type LegalGround = 'b' | 'c' | 'f'

/** The retention of one kind of data: its tables, how long it is kept, and the legal ground. */
export interface Retention {
  readonly what: string
  readonly tables: readonly string[]
  /**
   * Seconds after the time of `after`, 0 for at once; or until the person changes, removes or erases it; or as long as
   * the service runs, without personal data once the person is erased.
   */
  readonly kept: number | 'until_erased' | 'while_the_service_runs'
  /** The column of the first table, or SQL over it, from which the seconds count, and its description in words. */
  readonly after?: { readonly column: string; readonly words: string }
  readonly why: string
  readonly ground: LegalGround
}
