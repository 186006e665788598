import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { openContent, type StoredMessage } from './message-content'

/** Returns the newest messages, delivered or not, without those that quiet hours hold back. */
export async function readMessages(
  platform: Platform,
  limit: number,
): Promise<(StoredMessage & { createdAt: Date })[]> {
  const rows = await platform.db.query<
    Pick<StoredMessage, 'id' | 'channel'> & { sealed_content: string; created_at: Date }
  >(sql`SELECT id, channel, sealed_content, created_at FROM messages
      WHERE held_until IS NULL OR sent_at IS NOT NULL ORDER BY created_at DESC, id LIMIT ${limit}`)
  return rows.map(({ id, channel, sealed_content: sealed, created_at: createdAt }) => ({
    id,
    channel,
    ...openContent(platform.sealer, id, sealed),
    createdAt,
  }))
}
