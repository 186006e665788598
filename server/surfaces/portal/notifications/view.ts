/** The outcome of a test message: accepted by its carrier, or not. */
export interface TestMessageView {
  readonly outcome: 'accepted' | 'failed'
  readonly to: string
  readonly at: string
}
