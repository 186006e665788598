import type { Message, Platform } from '../core/platform'
import { openContent } from './message-content'

const BATCH = 20
const ATTEMPTS_MAX = 10
const LEASE_SECONDS = 60
const BACKOFF_BASE_SECONDS = 5

interface MessageRow extends Pick<Message, 'id' | 'channel'> {
  sealed_content: string
  attempts: number
}

/**
 * Delivers the messages that are due. Each is leased by pushing its next attempt ahead, so that processes do not
 * deliver the same one; a failure waits longer each time, and after ten the message is dead. Returns how many were due.
 */
export async function deliverMessages(platform: Platform): Promise<number> {
  const now = platform.clock.now()
  const due = await platform.db.query<MessageRow>(
    `UPDATE messages SET attempts = attempts + 1, next_attempt_at = $2
      WHERE id IN (SELECT id FROM messages WHERE state = 'queued' AND next_attempt_at <= $1
                    ORDER BY next_attempt_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING id, channel, sealed_content, attempts`,
    [now, new Date(now.getTime() + LEASE_SECONDS * 1000)],
  )
  for (const row of due) await deliverOne(platform, row)
  return due.length
}

async function deliverOne(platform: Platform, row: MessageRow): Promise<void> {
  try {
    const content = openContent(platform.sealer, row.id, row.sealed_content)
    await platform.mailer.deliver({ id: row.id, channel: row.channel, ...content })
    await platform.db.query(`UPDATE messages SET state = 'sent', sent_at = $2 WHERE id = $1`, [
      row.id,
      platform.clock.now(),
    ])
  } catch (cause) {
    platform.log.warn('message not delivered', { messageId: row.id, attempts: row.attempts }, cause)
    const wait = BACKOFF_BASE_SECONDS * 2 ** row.attempts
    const next = new Date(platform.clock.now().getTime() + wait * 1000)
    const state = row.attempts >= ATTEMPTS_MAX ? 'dead' : 'queued'
    await platform.db.query('UPDATE messages SET state = $2, next_attempt_at = $3 WHERE id = $1', [row.id, state, next])
  }
}
