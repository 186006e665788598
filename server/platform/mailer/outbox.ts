import type { Mailer } from '@/server/core/platform'

/** For installations without a carrier: the messages table is where messages are read, so nothing is left to do. */
export const outboxMailer: Mailer = {
  async deliver() {},
}
