import * as z from 'zod'
import { failpoint } from '../../base/core/failpoints'
import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform } from '../../base/core/platform'
import { deliverPush } from './deliver-push'
import { isWaiting } from './held-store'
import { type MessageContent, openContent, sealContent } from './message-content'
import { deleteMessage, findUnsentMessage, markSent, markSentAs, replaceSealedMessage } from './store'

const delivery = z.object({ message_id: z.string() })

/** The data of a message whose delivery was given up. */
const DROPPED = { dropped: true } as const

/** What the message was written for is in it no more. */
class DroppedData extends PermanentFailure {
  override readonly name = 'DroppedData'
}

/**
 * Hands one message to its carrier. When the process ends before that is written down, the message goes out again with
 * the same id, by which a carrier knows it; throws when the carrier did not take it. A push message that nobody needs any
 * more is not sent, nor one that quiet hours held back until its request had ended. Of a message to a person who was erased no copy stays.
 */
export async function deliverMessage(platform: Platform, payload: unknown): Promise<void> {
  const { message_id: id } = delivery.parse(payload)
  const row = await findUnsentMessage(platform.db, id)
  if (row === null) return
  if (row.held_request !== null && !(await isWaiting(platform.db, row.held_request, platform.clock.now()))) {
    await deleteMessage(platform.db, id)
    return
  }
  const content = openContent(platform.sealer, id, row.sealed_content)
  if (content.data?.['dropped'] === true) throw new DroppedData()
  const { channel } = row
  if (channel === 'push') {
    if (!(await deliverPush(platform, content))) return
  } else await platform.mailer.deliver({ id, channel, ...content })
  await failpoint('outbox.after_send_before_mark')
  if (row.of_erased) await deleteMessage(platform.db, id)
  else await keepSent(platform, id, content)
}

/** The data that a person asked for stays theirs alone once it is sent; in the sandbox the outbox shows it. */
async function keepSent(platform: Platform, id: string, content: MessageContent): Promise<void> {
  const now = platform.clock.now()
  if (platform.config.sandbox || !holdsData(content)) return markSent(platform.db, { id, now })
  const sealedContent = sealContent(platform.sealer, id, { ...content, data: null })
  return markSentAs(platform.db, { id, sealedContent, now })
}

/** Takes the data that a person asked for out of a message that was given up: nobody gets it any more. */
export async function dropData({ db, sealer }: Platform, payload: unknown): Promise<void> {
  const { message_id: id } = delivery.parse(payload)
  const row = await findUnsentMessage(db, id)
  if (row === null) return
  const content = openContent(sealer, id, row.sealed_content)
  if (!holdsData(content)) return
  const sealed = sealContent(sealer, id, { ...content, data: DROPPED })
  await replaceSealedMessage(db, { id, sealed: row.sealed_content }, sealed)
}

const holdsData = ({ data }: MessageContent): boolean => data?.['dump'] !== undefined
