import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Channel } from './contract'
import type { Hold } from './held-store'
import { sealContent } from './message-content'
import { insertMessage } from './store'

export interface NewMessage {
  /** The event key; one message is written per key, however often the event is seen. */
  readonly eventKey: string
  readonly principalId: string | null
  readonly channel: Channel
  /** The recipient's address; null queues nothing. */
  readonly recipient: string | null
  readonly subject: string | null
  readonly text: string
  readonly links: readonly string[]
  /** Attached data; without any, the message is its text alone. */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  /** The key of what the message is about; messages with one key arrive in the order in which they were written. */
  readonly about?: string | undefined
  /** The hold by quiet hours; without one the message is sent at once. */
  readonly hold?: Hold | null | undefined
}

/**
 * Writes a message in the transaction of the event; a job delivers it afterwards. Its content is sealed, so that a copy
 * of the database reveals neither sign-in links nor purchases.
 */
export function queueMessage(
  tx: Transaction,
  call: Pick<Call, 'now' | 'platform'>,
  message: NewMessage,
  id = call.platform.random.uuid(),
): void {
  const { recipient: to, subject, text, links, data = null } = message
  if (to === null) return
  insertMessage(tx, {
    id,
    eventKey: message.eventKey,
    principalId: message.principalId,
    channel: message.channel,
    sealedContent: sealContent(call.platform.sealer, id, { to, subject, text, links, data }),
    aggregate: message.about === undefined ? null : `${message.channel}:${message.about}`,
    now: call.now,
    heldUntil: message.hold?.until ?? null,
    heldRequest: message.hold?.request ?? null,
  })
}
