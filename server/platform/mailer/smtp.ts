import { createTransport } from 'nodemailer'
import type { Mailer, Message } from '@/server/core/platform'

const CONNECT_TIMEOUT_MILLISECONDS = 5_000
const ANSWER_TIMEOUT_MILLISECONDS = 10_000

/** Sends e-mail through `smtpUrl`. Messages of other channels have no carrier yet and stay in the messages table. */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    greetingTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    socketTimeout: ANSWER_TIMEOUT_MILLISECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(message) {
      if (message.channel !== 'email') return
      await transport.sendMail({ from, ...envelopeOf(message) })
    },
  }
}

function envelopeOf(message: Message) {
  return {
    // As one address object: a comma in it must not make it a list of recipients.
    to: { name: '', address: message.to },
    subject: message.subject ?? '',
    text: message.text,
    // Sent again after an answer was lost, it is recognisably the same message.
    messageId: `<${message.id}@countersign>`,
  }
}
