/** A letter of Article 6(1) GDPR: a contract with the person, a legal obligation, or a legitimate interest. */
export type LegalGround = 'b' | 'c' | 'f'

/** One kind of data: where it is, how long it is kept, and why that is allowed. */
export interface Retention {
  readonly what: string
  readonly tables: readonly string[]
  /**
   * Seconds after some time; 0 is at once. Or until the person changes, removes or erases it; or as long as the
   * service runs, without personal data once the person is erased.
   */
  readonly kept: number | 'until_erased' | 'while_the_service_runs'
  /** The column of the first table that the seconds count from, or SQL over it, and what it says. */
  readonly after?: { readonly column: string; readonly words: string }
  readonly why: string
  readonly ground: LegalGround
}
