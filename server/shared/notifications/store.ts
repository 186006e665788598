import { batchedFor } from '../../base/core/batching'
import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { sweptBefore } from '../../base/core/retention'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, oldestSql } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedByKeySql } from '../../base/platform/keys/reseal'
import { deleteJobs, insertJobsSql } from '../queue'
import type { Channel } from './contract'

/** The kind of job that delivers one message. */
export const DELIVER_MESSAGE = 'deliver_message'

/** Returns the key of the job that delivers a message. */
export const deliveryKeyOf = (messageId: string): string => `message:${messageId}`

/** The most parallel deliveries whose reads and writes are combined in one statement. */
const TOGETHER_MAX = 100

interface NewMessageRow {
  readonly id: string
  readonly channel: Channel
  readonly eventKey: string
  readonly principalId: string | null
  readonly sealedContent: string
  readonly aggregate: string | null
  readonly now: Date
  /** The time until which it is held back; null when it is sent at once. */
  readonly heldUntil: Date | null
  /** The event key of its request, while it is held back; otherwise null. */
  readonly heldRequest: string | null
}

/** Inserts a message and the job that delivers it, once per event key; in one statement, since payments wait for it. */
export function insertMessage(tx: Transaction, message: NewMessageRow): void {
  tx.send(
    sql`WITH message AS (
       INSERT INTO messages (id, event_key, principal_id, channel, sealed_content, created_at, held_until, held_request)
       VALUES (${message.id}, ${message.eventKey}, ${message.principalId}, ${message.channel}, ${message.sealedContent}, ${message.now}, ${message.heldUntil}, ${message.heldRequest}) ON CONFLICT (event_key) DO NOTHING RETURNING id)
     ${insertJobsSql(
       sql`SELECT id, '${sql.raw(DELIVER_MESSAGE)}', ${deliveryKeyOf('')} || id, jsonb_build_object('message_id', id)::text,
                  ${message.aggregate}, ${message.heldUntil ?? message.now}, ${message.now} FROM message`,
     )}`,
  )
}

type UnsentMessage = Row<'Message', 'id' | 'channel' | 'sealed_content' | 'held_request', { channel: Channel }> & {
  /** Whether its person was erased, so that it is deleted once sent. */
  readonly of_erased: boolean
}

/** Returns a message that no carrier is known to have accepted; null when there is none. */
export const findUnsentMessage: (db: Queryable, id: string) => Promise<UnsentMessage | null> = batchedFor(
  async (db, ids) => {
    const rows = await db.query<UnsentMessage>(
      sql`SELECT m.id, m.channel, m.sealed_content, m.held_request, coalesce(p.erased, false) AS of_erased
         FROM messages m LEFT JOIN principal_profiles p ON p.id = m.principal_id
        WHERE m.id = ANY (${ids}::text[]) AND m.sent_at IS NULL`,
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) ?? null)
  },
  TOGETHER_MAX,
)

/** Records that the carrier has accepted a message. */
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

/** Like {@link markSent}, and replaces the stored content. */
export async function markSentAs(
  db: Queryable,
  { id, sealedContent, now }: { readonly id: string; readonly sealedContent: string; readonly now: Date },
): Promise<void> {
  await db.query(
    sql`UPDATE messages SET sent_at = ${now}, sealed_content = ${sealedContent} WHERE id = ${id} AND sent_at IS NULL`,
  )
}

export async function deleteMessage(db: Queryable, id: string): Promise<void> {
  await db.query(sql`DELETE FROM messages WHERE id = ${id}`)
}

interface ErasedMessages {
  readonly principalId: string
  /** The event key of the message that stays until it is sent; null for none. */
  readonly except: string | null
}

/** Deletes the person's messages and the jobs that deliver them. */
export async function eraseMessages(tx: Transaction, { principalId, except }: ErasedMessages): Promise<void> {
  const rows = await tx.query<Row<'Message', 'id'>>(
    sql`DELETE FROM messages WHERE principal_id = ${principalId} AND event_key IS DISTINCT FROM ${except} RETURNING id`,
  )
  await deleteJobs(
    tx,
    rows.map(({ id }) => deliveryKeyOf(id)),
  )
}

/** SQL expression: those of these event keys that have a message, as a JSON array, or NULL. */
export const knownEventKeysSql = (keys: readonly string[]): Sql =>
  sql`(SELECT jsonb_agg(m.event_key) FROM messages m WHERE m.event_key = ANY (${keys}::text[]))`

/** Deletes messages that are no longer kept. */
export function sweepMessages(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('messages', now)
  return countSwept(
    db,
    sql`DELETE FROM messages WHERE id IN
       (SELECT id FROM messages WHERE ${oldestSql(sql`created_at`, before)})`,
  )
}

export const listSealedMessages: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(sealedByKeySql(sql`messages`, sql`sealed_content`, query))

export const replaceSealedMessage: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(sql`UPDATE messages SET sealed_content = ${resealed} WHERE id = ${id} AND sealed_content = ${sealed}`)
