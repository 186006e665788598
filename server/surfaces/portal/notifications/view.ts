import type { Channel } from '../../../shared/notifications/contract'

/** The channels that a test message took. */
export interface TestMessageView {
  readonly channels: readonly Channel[]
}
