import type { Call } from '../core/call'
import type { Queryable } from '../core/platform'

export interface NewMessage {
  /** One message per event key, however often the event is seen. */
  readonly eventKey: string
  readonly principalId: string | null
  readonly channel: 'email' | 'rcs'
  /** Where it goes; with none there is nobody to tell and nothing is queued. */
  readonly recipient: string | null
  readonly subject: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
}

/** Writes a message in the transaction of the event that causes it; a job delivers it afterwards. */
export async function queueMessage(
  tx: Queryable,
  call: Pick<Call, 'now' | 'platform'>,
  message: NewMessage,
): Promise<void> {
  if (message.recipient === null) return
  await tx.query(
    `INSERT INTO messages (id, event_key, principal_id, channel, recipient, subject, text, links, data, next_attempt_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, $10) ON CONFLICT (event_key) DO NOTHING`,
    [
      call.platform.random.uuid(),
      message.eventKey,
      message.principalId,
      message.channel,
      message.recipient,
      message.subject,
      message.text,
      JSON.stringify(message.links),
      message.data === null ? null : JSON.stringify(message.data),
      call.now,
    ],
  )
}
