import type { Call } from '../../base/core/call'
import { nameOfError } from '../queue'
import { deliverMessage } from './deliver-message'
import { type NewMessage, queueMessage } from './queue-message'

/** How long the queue waits before it delivers a message that the request itself sends at once. */
const RESERVED_SECONDS = 60

/**
 * Writes a message and delivers it at once. Returns whether the carrier accepted it; otherwise the queue tries again,
 * as with every other message.
 */
export async function sendNow(
  { platform, now }: Pick<Call, 'now' | 'platform'>,
  message: Omit<NewMessage, 'hold'>,
): Promise<boolean> {
  const id = platform.random.uuid()
  const until = new Date(now.getTime() + RESERVED_SECONDS * 1000)
  const held = { ...message, hold: { until, request: null } }
  await platform.db.transaction(async (tx) => queueMessage(tx, { platform, now }, held, id))
  try {
    await deliverMessage(platform, { message_id: id })
    return true
  } catch (cause) {
    platform.log.warn('message not taken', { channel: message.channel, reason: nameOfError(cause) })
    return false
  }
}
