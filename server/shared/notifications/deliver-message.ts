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

/** The data for which the message was written has been removed. */
class DroppedData extends PermanentFailure {
  override readonly name = 'DroppedData'
}

/**
 * Delivers one message to its carrier; throws when the carrier did not accept it. When the process ends before that is
 * recorded, the message is sent again with the same id, by which the carrier recognizes it. An expired push message is
 * not sent, nor any message that quiet hours held back until its request had ended. A message to an erased person is
 * deleted afterwards.
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

/**
 * Marks a message as sent and removes the attached data that the person asked for (`dump`); in the sandbox the data
 * stays, for the outbox.
 */
async function keepSent(platform: Platform, id: string, content: MessageContent): Promise<void> {
  const now = platform.clock.now()
  if (platform.config.sandbox || !holdsData(content)) return markSent(platform.db, { id, now })
  const sealedContent = sealContent(platform.sealer, id, { ...content, data: null })
  return markSentAs(platform.db, { id, sealedContent, now })
}

/** Removes the data that the person asked for (`dump`) from a message whose delivery was given up. */
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
