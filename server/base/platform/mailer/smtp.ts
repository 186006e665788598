import { createTransport } from 'nodemailer'
import { PermanentFailure } from '../../core/permanent-failure'
import type { Carrier, Message } from '../../core/platform'

const CONNECT_TIMEOUT_MILLISECONDS = 5_000
const ANSWER_TIMEOUT_MILLISECONDS = 10_000

class RefusedMail extends PermanentFailure {
  override readonly name = 'RefusedMail'
}

/**
 * Creates a carrier that sends e-mail through `smtpUrl`. A refusal with 5xx (RFC 5321 section 4.2.1) of the recipient
 * or the message is a permanent failure; after a failed connection or log-in, or a 4xx, sending may be tried again.
 */
export function createSmtpMailer(smtpUrl: string, from: string, timeout = ANSWER_TIMEOUT_MILLISECONDS): Carrier {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    greetingTimeout: Math.min(timeout, CONNECT_TIMEOUT_MILLISECONDS),
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(message) {
      try {
        await transport.sendMail({ from, ...envelopeOf(message) })
      } catch (cause) {
        throw isRefusal(cause) ? new RefusedMail(cause.message, { cause }) : cause
      }
    },
  }
}

function isRefusal(cause: unknown): cause is Error {
  if (!(cause instanceof Error && 'code' in cause && 'responseCode' in cause)) return false
  const isAboutMail = cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE'
  return isAboutMail && typeof cause.responseCode === 'number' && cause.responseCode >= 500
}

function envelopeOf(message: Message) {
  return {
    // An address object, so that a comma in the address cannot make it a list of recipients.
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: message.text,
    attachments: attachmentsOf(message.data),
    // Stable, so that a message that is sent again after a lost answer can be recognised.
    messageId: `<${message.id}@countersign>`,
  }
}

/** Returns the file with the data that a person asked for; none for other messages. */
function attachmentsOf(data: Message['data']) {
  if (data === null || typeof data['request_id'] !== 'string' || typeof data['dump'] !== 'object') return []
  const filename = `countersign-data-${data['request_id']}.json`
  return [{ filename, contentType: 'application/json', content: JSON.stringify(data['dump'], null, 2) }]
}
