import {
  awaitReply,
  buildInFlightError,
  KEY_LEASE_SECONDS,
  requireIdempotencyKey,
} from '../../base/contract/idempotency'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Queryable } from '../../base/core/platform'
import type { SealedColumn } from '../../base/platform/keys/reseal'
import { sha256Base64url } from '../../base/protocol/encoding'
import { REPLIES_KEPT_SECONDS } from './contract'
import {
  findReply,
  type HeldKey,
  listSealedReplies,
  type ReplyKey,
  releaseKey,
  replaceSealedReply,
  replyId,
  reserveKey,
  saveReply,
} from './reply-store'

/** The input of a right that takes an Idempotency-Key and no members. */
export interface KeyedInput {
  readonly headers: { readonly 'idempotency-key': string | undefined }
  readonly bodyDigest: string
  readonly hasMembers: boolean
}

interface KeyedRequest {
  readonly kind: keyof typeof REPLIES_KEPT_SECONDS
  readonly input: KeyedInput
}

export interface Answer {
  readonly text: string
  readonly isReplay: boolean
}

/**
 * Stores the answer, in the transaction that completes the request. 409 when another request has taken the key
 * meanwhile.
 */
export type SaveAnswer = (tx: Queryable, text: string) => Promise<void>
type Work = (save: SaveAnswer) => Promise<string>

/**
 * Does the work; with an Idempotency-Key only once: the same request gets the same bytes again as long as they are
 * kept. The work's own transaction stores the answer, sealed, so that a crash leaves both or neither, and so does work
 * that outlasts its lease when a second request has taken the key. Refusals are not stored. 400 for members in the
 * body; 409 for another body under the key, and while a request with it is running.
 */
export async function answerPrivacyRequestOnce(
  call: WalletCall,
  { kind, input }: KeyedRequest,
  work: Work,
): Promise<Answer> {
  const key = input.headers['idempotency-key']
  if (key === undefined) {
    requireNoMembers(input)
    return { text: await work(() => Promise.resolve()), isReplay: false }
  }
  requireIdempotencyKey(key)
  const replyKey = { principalId: call.actor.principalId, kind, keyHash: sha256Base64url(key) }
  const held = await reserve(call, replyKey, input)
  return held === null ? repeat(call, replyKey, input) : runOnce(call, held, work)
}

/**
 * Reserves the key; null when it is taken. A body with members reserves none: it conflicts with a known key, and is
 * refused with a new one.
 */
async function reserve(call: WalletCall, key: ReplyKey, input: KeyedInput): Promise<HeldKey | null> {
  const { platform, now } = call
  if (input.hasMembers) {
    const known = await findReply(platform.db, key, now)
    if (known === null) requireNoMembers(input)
    return null
  }
  const expiresAt = new Date(now.getTime() + REPLIES_KEPT_SECONDS[key.kind] * 1000)
  const { bodyDigest } = input
  return reserveKey(platform.db, key, { bodyDigest, leaseSeconds: KEY_LEASE_SECONDS, now, expiresAt })
}

function requireNoMembers({ hasMembers }: KeyedInput): void {
  if (hasMembers) throw new ServiceError('invalid_request', 'The body takes no members.')
}

async function runOnce({ platform }: WalletCall, key: HeldKey, work: Work): Promise<Answer> {
  try {
    const text = await work(async (tx, answer) => {
      const sealed = platform.sealer.seal(Buffer.from(answer), sealContext(replyId(key)))
      if (!(await saveReply(tx, key, sealed))) throw buildInFlightError()
    })
    return { text, isReplay: false }
  } catch (error) {
    await releaseKey(platform.db, key)
    throw error
  }
}

async function repeat({ platform, now }: WalletCall, key: ReplyKey, { bodyDigest }: KeyedInput): Promise<Answer> {
  const { sealed_reply: sealed } = await awaitReply(async () => {
    const known = await findReply(platform.db, key, now)
    if (known === null || known.body_digest === bodyDigest) return known
    throw new ServiceError('idempotency_conflict', 'The Idempotency-Key was used with another body.')
  })
  return { text: platform.sealer.open(sealed, sealContext(replyId(key))).toString(), isReplay: true }
}

const sealContext = (id: string): string => `privacy-reply:${id}`

/** The stored answers to privacy requests. */
export const sealedPrivacyReplies: SealedColumn = {
  what: 'answers to privacy requests',
  contextOf: sealContext,
  list: listSealedReplies,
  replace: replaceSealedReply,
}
