import { createTransport } from 'nodemailer'
import { PermanentFailure } from '../../core/permanent-failure'
import type { Carrier, Message } from '../../core/platform'

const CONNECT_TIMEOUT_MILLISECONDS = 5_000
const ANSWER_TIMEOUT_MILLISECONDS = 10_000

class RefusedMail extends PermanentFailure {
  override readonly name = 'RefusedMail'
}

/**
 * Sends e-mail through `smtpUrl`. A person or message that the carrier refuses for good (5xx, RFC 5321 section 4.2.1) is
 * a permanent failure; a connection, a log-in or a 4xx that fails may be tried again.
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
    // As one address object: a comma in it must not make it a list of recipients.
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: message.text,
    attachments: attachmentsOf(message.data),
    // Sent again after an answer was lost, it is recognisably the same message.
    messageId: `<${message.id}@countersign>`,
  }
}

/** The data that a person asked for, as the file that they get. */
function attachmentsOf(data: Message['data']) {
  if (data === null || typeof data['request_id'] !== 'string' || typeof data['dump'] !== 'object') return []
  const filename = `countersign-data-${data['request_id']}.json`
  return [{ filename, contentType: 'application/json', content: JSON.stringify(data['dump'], null, 2) }]
}
