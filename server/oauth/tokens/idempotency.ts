import {
  awaitReply,
  buildInFlightError,
  KEY_LEASE_SECONDS,
  requireIdempotencyKey,
} from '../../base/contract/idempotency'
import type { ClientCall } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import type { SealedColumn } from '../../base/platform/keys/reseal'
import { admitClient, requireAdmission } from '../clients'
import { buildInvalidGrantError } from './checks'
import { findReply, listSealedReplies, releaseKey, replaceSealedReply, reserveKey, saveReply } from './reply-store'

interface KeyedRequest {
  /** The Idempotency-Key header: 1 to 255 printable ASCII characters. */
  readonly key: string
  readonly bodyDigest: string
}

interface IssuedReply {
  readonly reply: string
  readonly familyId: string
}

type SaveReply = (tx: Transaction, issued: IssuedReply) => Promise<void>

/**
 * Runs `work` once per client and key and repeats its answer, byte for byte, to the same request while its access token
 * is valid. The answer is stored, sealed, in the transaction that issues it, so that a crash leaves both or neither.
 * Work that outlasts its lease is rolled back when a second request has taken the key. Refusals are not stored. A
 * repeat has the same client assertion, so only its DPoP proof must be new.
 */
export async function answerTokenRequestOnce(
  call: ClientCall,
  request: KeyedRequest,
  work: (save: SaveReply) => Promise<() => Promise<string>>,
): Promise<string> {
  requireIdempotencyKey(request.key)
  const { platform, actor, now } = call
  const { key, bodyDigest } = request
  const held = await reserveKey(
    platform.db,
    { clientId: actor.client.id, key },
    {
      bodyDigest,
      jkt: jktOf(call),
      leaseSeconds: KEY_LEASE_SECONDS,
      now,
      expiresAt: new Date(now.getTime() + platform.config.accessTokenTtlSeconds * 1000),
    },
  )
  if (held === null) return repeat(call, request)
  try {
    const answer = await work(async (tx, { reply, familyId }) => {
      const sealedReply = platform.sealer.seal(Buffer.from(reply), sealContext(actor.client.id, key))
      if (!(await saveReply(tx, held, { sealedReply, familyId }))) throw buildInFlightError()
    })
    return await answer()
  } catch (error) {
    await releaseKey(platform.db, held)
    throw error
  }
}

const sealContext = (clientId: string, key: string) => `idempotent-reply:${clientId}:${key}`

/** The stored replies of the token endpoint. */
export const sealedReplies: SealedColumn = {
  what: 'answers of the token endpoint',
  contextOf: (id) => {
    const blank = id.indexOf(' ')
    return sealContext(id.slice(0, blank), id.slice(blank + 1))
  },
  list: listSealedReplies,
  replace: replaceSealedReply,
}

function jktOf(call: ClientCall): string {
  invariant(call.actor.dpop !== null, 'the token endpoint takes a proof')
  return call.actor.dpop.jkt
}

async function repeat(call: ClientCall, request: KeyedRequest): Promise<string> {
  const { platform, actor } = call
  const known = await awaitReply(() => findOwnReply(call, request))
  await requireFreshProof(call)
  if (known.barred) throw buildBarredError()
  if (known.revoked) throw buildInvalidGrantError('The tokens of this answer have been revoked.')
  return platform.sealer.open(known.sealed_reply, sealContext(actor.client.id, request.key)).toString()
}

/** Finds the reply of a key. Throws 409 when it is of another request, 400 when it is bound to another DPoP key. */
async function findOwnReply(call: ClientCall, { key, bodyDigest }: KeyedRequest) {
  const known = await findReply(call.platform.db, call.actor.client.id, key)
  if (known === null) return null
  if (known.body_digest !== bodyDigest) {
    throw new ServiceError('idempotency_conflict', 'The Idempotency-Key was used for another request.')
  }
  if (known.jkt !== jktOf(call)) {
    throw new ServiceError('invalid_request', 'The Idempotency-Key was used with another DPoP key.')
  }
  return known
}

async function requireFreshProof({ platform, actor }: ClientCall): Promise<void> {
  const proofs = actor.replayKeys.filter((key) => key.kind === 'dpop')
  requireAdmission(await admitClient(platform.db, actor.client.id, proofs), proofs)
}
