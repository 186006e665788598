import type { Carrier } from '../../core/platform'

/** For channels without a carrier: the messages table is where messages are read, so nothing is left to do. */
export const outboxMailer: Carrier = {
  async deliver() {},
}
