import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Channel } from './contract'
import type { Hold } from './held-store'
import { sealContent } from './message-content'
import { insertMessage } from './store'

export interface NewMessage {
  /** One message per event key, however often the event is seen. */
  readonly eventKey: string
  readonly principalId: string | null
  readonly channel: Channel
  /** Where it goes; without an address nothing is queued. */
  readonly recipient: string | null
  readonly subject: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
  /** Messages about the same thing arrive in the order in which they were written. */
  readonly about?: string | undefined
  /** Quiet hours hold it back; otherwise it is sent at once. */
  readonly hold?: Hold | null | undefined
}

/**
 * Writes a message in the transaction of the event that causes it; a job delivers it afterwards. What it says is sealed:
 * a copy of the database gives away neither sign-in links nor what people buy.
 */
export function queueMessage(
  tx: Transaction,
  call: Pick<Call, 'now' | 'platform'>,
  message: NewMessage,
  id = call.platform.random.uuid(),
): void {
  const { recipient: to, subject, text, links, data } = message
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
