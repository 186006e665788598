import type { Database } from '../../../core/platform'
import { sweptBefore } from '../../../core/retention'
import { type Row } from '../../../core/rows'
import { sql } from '../../../core/sql'
import { countSwept, oldestSql } from '../../../core/swept'
import { sha256Base64url } from '../../../protocol/encoding'
import type { FakeCall, Handler } from './context'
import { type Answer, refuse } from './wire'

const KEY_MAX_CHARS = 255

/** The saved reply to a request. */
type SavedReply = Row<'SandboxProcessorReply', 'request_digest' | 'status' | 'body', { status: number; body: string }>

interface RunAnswer extends Answer {
  readonly replayed: boolean
}

/**
 * Runs a request under its idempotency key: only the first one is run, and repeats get the same answer. A repeat that
 * arrives meanwhile waits, because the key's row is written in the transaction that does the work.
 * @see {@link https://docs.stripe.com/api/idempotent_requests}
 */
export async function runOnce(call: FakeCall, path: string, handler: Handler): Promise<RunAnswer> {
  const { tx, idempotencyKey: key } = call
  if (key === null) return { ...(await handler(call)), replayed: false }
  if (key.length > KEY_MAX_CHARS) throw refuse('Idempotency-Key is longer than 255 characters.')
  const digest = sha256Base64url(`${path}\n${call.params.canonical()}`)
  if (!(await claim(call, key, digest))) return replay(call, key, digest)
  const answer = await handler(call)
  if (answer.unsaved) {
    await tx.query(sql`DELETE FROM sandbox_processor_replies WHERE idempotency_key = ${key}`)
  } else {
    await tx.query(
      sql`UPDATE sandbox_processor_replies SET status = ${answer.status}, body = ${JSON.stringify(answer.body)} WHERE idempotency_key = ${key}`,
    )
  }
  return { ...answer, replayed: false }
}

async function claim({ tx, clock }: FakeCall, key: string, digest: string): Promise<boolean> {
  const now = clock.now()
  const rows = await tx.query(
    sql`INSERT INTO sandbox_processor_replies AS r (idempotency_key, request_digest, created_at) VALUES (${key}, ${digest}, ${now})
     ON CONFLICT (idempotency_key) DO UPDATE SET request_digest = excluded.request_digest, created_at = excluded.created_at
       WHERE r.created_at < ${sweptBefore('sandboxReplies', now)}
     RETURNING idempotency_key`,
  )
  return rows.length === 1
}

async function replay({ tx }: FakeCall, key: string, digest: string): Promise<RunAnswer> {
  const [saved] = await tx.query<SavedReply>(
    sql`SELECT request_digest, status, body FROM sandbox_processor_replies WHERE idempotency_key = ${key}`,
  )
  if (saved === undefined) throw new Error('a key that is taken has its answer')
  if (saved.request_digest !== digest) {
    throw refuse(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    )
  }
  return { status: saved.status, body: JSON.parse(saved.body) as object, replayed: true }
}

/** Deletes saved replies whose keys have expired. */
export function sweepReplies(db: Database, now: Date): Promise<number> {
  const before = sweptBefore('sandboxReplies', now)
  return countSwept(
    db,
    sql`DELETE FROM sandbox_processor_replies WHERE idempotency_key IN
       (SELECT idempotency_key FROM sandbox_processor_replies WHERE ${oldestSql(sql`created_at`, before)})`,
  )
}
