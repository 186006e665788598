import type { Carrier } from '../../core/platform'

/** Stands in for the carrier of a channel that has none: does nothing, since messages stay in the messages table. */
export const outboxMailer: Carrier = {
  async deliver() {},
}
