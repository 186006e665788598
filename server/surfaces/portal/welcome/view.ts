import type { SetupView } from '../shared/view'

export interface WelcomeView extends SetupView {
  /** The person left the set-up, so signing in does not lead there. */
  readonly left: boolean
}
