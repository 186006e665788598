import { setTimeout as delay } from 'node:timers/promises'
import { idempotencyKey } from '../../base/contract/wire'
import type { ClientCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Database, Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { admitClient, requireAdmission } from '../clients'
import { invalidGrant } from './checks'

const LEASE_SECONDS = 15
const WAIT_MILLISECONDS = 3_000
const LOOK_EVERY_MILLISECONDS = 50

interface KeyedRequest {
  /** The Idempotency-Key header: 1 to 255 visible ASCII characters. */
  readonly key: string
  readonly bodyDigest: string
}

interface Kept {
  readonly reply: string
  readonly familyId: string
}

type Keep = (tx: Transaction, kept: Kept) => Promise<void>

/**
 * Runs `work` once per client and key and gives its answer again, byte for byte, to the same request while the access
 * token in it lives. The answer is kept, sealed, in the transaction that issues it, so a crash leaves both or neither.
 * Refusals are not kept. A repeat carries the very same client assertion, so only its DPoP proof has to be new.
 */
export async function answerOnce(
  call: ClientCall,
  request: KeyedRequest,
  work: (keep: Keep) => Promise<() => Promise<string>>,
): Promise<string> {
  if (!idempotencyKey.safeParse(request.key).success) {
    throw new ServiceError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  if (!(await claim(call, request))) return repeat(call, request)
  try {
    const answer = await work((tx, kept) => keepReply(tx, call, { ...request, ...kept }))
    return await answer()
  } catch (error) {
    await release(call, request)
    throw error
  }
}

function jktOf(call: ClientCall): string {
  invariant(call.actor.dpop !== null, 'the token endpoint takes a proof')
  return call.actor.dpop.jkt
}

/**
 * Takes the key when nobody holds it, or when its answer or the request that ran under it has run out. Leases go by the
 * database's clock: a server whose own is ahead must not take the key from one that is still at work.
 */
async function claim(call: ClientCall, { key, bodyDigest }: KeyedRequest): Promise<boolean> {
  const { platform, actor, now } = call
  const rows = await platform.db.query(
    sql`INSERT INTO idempotent_replies AS r (client_id, idempotency_key, body_digest, jkt, lease_until, expires_at)
     VALUES (${actor.client.id}, ${key}, ${bodyDigest}, ${jktOf(call)}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), ${new Date(now.getTime() + platform.config.accessTokenTtlSeconds * 1000)})
     ON CONFLICT (client_id, idempotency_key) DO UPDATE
       SET body_digest = excluded.body_digest, jkt = excluded.jkt, family_id = NULL, sealed_reply = NULL,
           lease_until = excluded.lease_until, expires_at = excluded.expires_at
       WHERE r.expires_at <= ${now} OR (r.sealed_reply IS NULL AND r.lease_until <= clock_timestamp())
     RETURNING client_id`,
  )
  return rows.length === 1
}

async function keepReply(tx: Transaction, call: ClientCall, kept: KeyedRequest & Kept): Promise<void> {
  const { client } = call.actor
  const sealed = call.platform.sealer.seal(Buffer.from(kept.reply), sealContext(client.id, kept.key))
  await tx.query(
    sql`UPDATE idempotent_replies SET sealed_reply = ${sealed}, family_id = ${kept.familyId} WHERE client_id = ${client.id} AND idempotency_key = ${kept.key}`,
  )
}

const sealContext = (clientId: string, key: string) => `idempotent-reply:${clientId}:${key}`

async function release({ platform, actor }: ClientCall, { key }: KeyedRequest): Promise<void> {
  await platform.db.query(
    sql`DELETE FROM idempotent_replies WHERE client_id = ${actor.client.id} AND idempotency_key = ${key} AND sealed_reply IS NULL`,
  )
}

async function repeat(call: ClientCall, request: KeyedRequest): Promise<string> {
  const { platform, actor } = call
  const giveUpAt = performance.now() + WAIT_MILLISECONDS
  for (;;) {
    const known = await findReply(call, request.key)
    if (known !== null && known.body_digest !== request.bodyDigest) {
      throw new ServiceError('idempotency_conflict', 'The Idempotency-Key was used for another request.')
    }
    if (known !== null && known.jkt !== jktOf(call)) {
      throw new ServiceError('invalid_request', 'The Idempotency-Key was used with another DPoP key.')
    }
    if (known !== null && known.sealed_reply !== null) {
      await requireFreshProof(call)
      if (known.dead) throw invalidGrant('The tokens of this answer have been revoked.')
      return platform.sealer.open(known.sealed_reply, sealContext(actor.client.id, request.key)).toString()
    }
    if (known === null || performance.now() >= giveUpAt) {
      throw new ServiceError('idempotency_in_flight', 'A request with the same Idempotency-Key is running.', {
        headers: { 'retry-after': '1' },
      })
    }
    await delay(LOOK_EVERY_MILLISECONDS)
  }
}

async function findReply({ platform, actor }: ClientCall, key: string) {
  const [row] = await platform.db.query<{
    body_digest: string
    jkt: string
    sealed_reply: string | null
    dead: boolean
  }>(
    sql`SELECT r.body_digest, r.jkt, r.sealed_reply, coalesce(f.revoked_at IS NOT NULL, false) AS dead
       FROM idempotent_replies r LEFT JOIN token_families f ON f.id = r.family_id
      WHERE r.client_id = ${actor.client.id} AND r.idempotency_key = ${key}`,
  )
  return row ?? null
}

async function requireFreshProof({ platform, actor }: ClientCall): Promise<void> {
  const proofs = actor.replayKeys.filter((key) => key.kind === 'dpop')
  requireAdmission(await admitClient(platform.db, actor.client.id, proofs), proofs)
}

/** Deletes answers that are no longer given again. */
export async function sweepIdempotentReplies(db: Database, now: Date): Promise<void> {
  await db.prisma.idempotentReply.deleteMany({ where: { expires_at: { lt: now } } })
}
