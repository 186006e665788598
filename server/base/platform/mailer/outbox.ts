import type { Carrier } from '../../core/platform'

/** The carrier of channels without one: does nothing, since messages are read from the messages table. */
export const outboxMailer: Carrier = {
  async deliver() {},
}
