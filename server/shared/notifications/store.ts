import { batchedFor } from '../../base/core/batching'
import type { Database, Message, Queryable } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import { insertJobsSql } from '../queue'

/** The kind of job that delivers one message. */
export const DELIVER_MESSAGE = 'deliver_message'

/** Deliveries run side by side; what they read and write at the same time is one statement. */
const TOGETHER_MAX = 100

interface NewMessageRow extends Pick<Message, 'id' | 'channel'> {
  readonly eventKey: string
  readonly principalId: string | null
  readonly sealedContent: string
  readonly aggregate: string | null
  readonly now: Date
}

/** Writes a message and the job that delivers it, in one statement, since payments wait for it; once per event key. */
export async function insertMessage(tx: Queryable, message: NewMessageRow): Promise<void> {
  await tx.query(
    sql`WITH message AS (
       INSERT INTO messages (id, event_key, principal_id, channel, sealed_content, created_at)
       VALUES (${message.id}, ${message.eventKey}, ${message.principalId}, ${message.channel}, ${message.sealedContent}, ${message.now}) ON CONFLICT (event_key) DO NOTHING RETURNING id)
     ${insertJobsSql(
       sql`SELECT id, '${sql.raw(DELIVER_MESSAGE)}', 'message:' || id, jsonb_build_object('message_id', id)::text,
                  ${message.aggregate}, ${message.now}, ${message.now} FROM message`,
     )}`,
  )
}

type UnsentMessage = Row<'Message', 'id' | 'channel' | 'sealed_content', Pick<Message, 'channel'>>

/** A message that no carrier is known to have taken; null when there is none. */
export const findUnsentMessage: (db: Queryable, id: string) => Promise<UnsentMessage | null> = batchedFor(
  async (db, ids) => {
    const rows = await db.query<UnsentMessage>(
      sql`SELECT id, channel, sealed_content FROM messages WHERE id = ANY (${ids}::text[]) AND sent_at IS NULL`,
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  },
  TOGETHER_MAX,
)

/** Writes down that the carrier has taken a message. */
export const markSent: (db: Queryable, sent: { readonly id: string; readonly now: Date }) => Promise<void> = batchedFor(
  async (db, sent) => {
    await db.query(
      sql`UPDATE messages SET sent_at = sent.at FROM unnest(${sent.map(({ id }) => id)}::text[], ${sent.map(({ now }) => now)}::timestamptz[]) AS sent (id, at)
        WHERE messages.id = sent.id AND sent_at IS NULL`,
    )
    return sent.map(() => undefined)
  },
  TOGETHER_MAX,
)

/** Which of these events have left a message, as an expression of a statement: a JSON array of their keys, or NULL. */
export const knownEventKeysSql = (keys: readonly string[]): Sql =>
  sql`(SELECT jsonb_agg(m.event_key) FROM messages m WHERE m.event_key = ANY (${keys}::text[]))`

const KEPT_MILLISECONDS = 90 * 86_400_000
const SWEPT_AT_ONCE = 5_000

/** Deletes messages 90 days after they were written. */
export async function sweepMessages(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MILLISECONDS)
  await db.query(
    sql`DELETE FROM messages WHERE id IN
       (SELECT id FROM messages WHERE created_at < ${before} ORDER BY created_at LIMIT ${SWEPT_AT_ONCE})`,
  )
}

export const listSealedMessages: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(
    sql`SELECT id, sealed_content AS sealed FROM messages
      WHERE id > ${query.after} AND ${sealedOtherwiseSql(sql`sealed_content`, query)} ORDER BY id LIMIT ${query.limit}`,
  )

export const replaceSealedMessage: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(sql`UPDATE messages SET sealed_content = ${resealed} WHERE id = ${id} AND sealed_content = ${sealed}`)
