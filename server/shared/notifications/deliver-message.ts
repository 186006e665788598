import * as z from 'zod'
import { failpoint } from '../../base/core/failpoints'
import type { Platform } from '../../base/core/platform'
import { openContent } from './message-content'
import { findUnsentMessage, markSent } from './store'

const delivery = z.object({ message_id: z.string() })

/**
 * Hands one message to its carrier. When the process ends before that is written down, the message goes out again with
 * the same id, by which a carrier knows it; throws when the carrier did not take it.
 */
export async function deliverMessage(platform: Platform, payload: unknown): Promise<void> {
  const { message_id: id } = delivery.parse(payload)
  const row = await findUnsentMessage(platform.db, id)
  if (row === null) return
  const content = openContent(platform.sealer, id, row.sealed_content)
  await platform.mailer.deliver({ id, channel: row.channel, ...content })
  await failpoint('outbox.after_send_before_mark')
  await markSent(platform.db, { id, now: platform.clock.now() })
}
