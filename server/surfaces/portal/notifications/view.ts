/** What became of a test message: its carrier took it, or did not. */
export interface TestMessageView {
  readonly outcome: 'accepted' | 'failed'
  readonly to: string
  readonly at: string
}
