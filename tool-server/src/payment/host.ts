/** A progress message of a long call. */
export interface ProgressReport {
  readonly progress: number
  readonly total: number
  readonly message: string
}

/** The person's reaction to a question; `accept` only means that the page was opened. */
export type UrlAnswer = 'accept' | 'decline' | 'cancel' | 'unavailable'

/** A page that the person is asked to open. */
export interface UrlQuestion {
  readonly message: string
  readonly url: string
  /** Aborted once the person has decided at the server. */
  readonly decided: AbortSignal
}

/** The model host of one call, and its capabilities. */
export interface Host {
  /** Aborted when the host cancels the call or disconnects. */
  readonly signal: AbortSignal
  /** Present when the host asked for progress. */
  readonly progress?: ((report: ProgressReport) => void) | undefined
  /** Present when the host can open a page for the person. */
  readonly askUrl?: ((question: UrlQuestion, signal: AbortSignal) => Promise<UrlAnswer>) | undefined
}
