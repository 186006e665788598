import type { Config, Mailer } from '../../core/platform'
import { outboxMailer } from './outbox'
import { createRcsMailer } from './rcs'
import { createSmtpMailer } from './smtp'

/**
 * Opens the configured carrier of each channel. Without one, messages stay in the messages table, which people can read
 * only in the sandbox.
 */
export function openMailer({
  smtpUrl,
  mailFrom,
  rcs,
  sandbox,
}: Pick<Config, 'smtpUrl' | 'mailFrom' | 'rcs' | 'sandbox'>): Mailer {
  const carriers = {
    email: smtpUrl === null ? outboxMailer : createSmtpMailer(smtpUrl, mailFrom),
    rcs: rcs === null ? outboxMailer : createRcsMailer(rcs),
  }
  return {
    carriesRcs: sandbox || rcs !== null,
    deliver: (message) => carriers[message.channel].deliver(message),
  }
}
