/** One step of a long call. */
export interface ProgressReport {
  readonly progress: number
  readonly total: number
  readonly message: string
}

/** What the person did with a question: `accept` only means that the page was opened. */
export type UrlAnswer = 'accept' | 'decline' | 'cancel' | 'unavailable'

/** The model host around one call, and what it can do. */
export interface Host {
  /** Ends with the call: cancelled by the host, or the host has gone. */
  readonly signal: AbortSignal
  /** Present when the host asked for progress. */
  readonly progress?: ((report: ProgressReport) => void) | undefined
  /** Present when the host can open a page for the person. */
  readonly askUrl?:
    | ((question: { readonly message: string; readonly url: string }, signal: AbortSignal) => Promise<UrlAnswer>)
    | undefined
}
