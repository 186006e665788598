import type { SetupView } from '../shared/view'

export interface WelcomeView extends SetupView {
  /** Whether the person left the set-up, so that signing in no longer leads to it. */
  readonly left: boolean
}
