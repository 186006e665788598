import { isDeepStrictEqual } from 'node:util'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import { type Means, meansOf } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import type { StepUpProof } from './contract'
import { proveStepUp } from './prove-step-up'

/**
 * A change of what agents may do without the person, or of what the person hears. `relaxes` and `save` run in one
 * transaction, under the person's lock.
 */
interface RuleChange<T> {
  /** The rule that the change relaxes, with its values before and after; null when it relaxes none. */
  readonly relaxes: (tx: Transaction) => Promise<JsonObject | null>
  /**
   * Counts a confirmed change against a quota; throws beyond it. Runs outside of the transactions, since the quota may
   * be counted in the same database.
   */
  readonly takeQuota?: () => Promise<void>
  /** `means` is how the person confirmed the change; for one that relaxes nothing, how they were authenticated. */
  readonly save: (tx: Transaction, means: Means) => Promise<T>
}

type Attempt<T> = { readonly saved: T } | { readonly relaxes: JsonObject }

/**
 * Saves a change at once when it relaxes no rule; otherwise only after the person has confirmed exactly what it
 * relaxes. Publishes the change to the person's open pages. 403 step_up_required without a confirmation, and 401
 * insufficient_user_authentication for a wallet token that does not suffice; 409 conflict when another change came in
 * between, so that the confirmation no longer matches; 429 beyond the change's quota.
 */
export async function requireStepUpToRelax<T>(
  call: WalletCall,
  change: RuleChange<T>,
  proof: StepUpProof | undefined,
): Promise<T> {
  const first = await attempt(call, change, { means: meansOf(call.actor), isConfirmed: () => false })
  const { saved } = 'saved' in first ? first : await saveConfirmed(call, change, { relaxes: first.relaxes, proof })
  await announceChange(call.platform, call.actor.principalId)
  return saved
}

interface Confirmation {
  readonly relaxes: JsonObject
  readonly proof: StepUpProof | undefined
}

/**
 * Saves a change that was confirmed. It is a second attempt: only the lock tells what is relaxed, and no person is
 * waited for under a lock.
 */
async function saveConfirmed<T>(call: WalletCall, change: RuleChange<T>, { relaxes, proof }: Confirmation) {
  const { method } = await proveStepUp(call, { purpose: 'security.relax', subject: relaxes }, proof)
  await change.takeQuota?.()
  const isConfirmed = (now: JsonObject) => method === 'token' || isDeepStrictEqual(now, relaxes)
  const second = await attempt(call, change, { means: method, isConfirmed })
  if ('saved' in second) return second
  invariant(method !== 'token', 'a token confirms every relaxation')
  throw new ServiceError('conflict', 'This has changed in the meantime. Review it again.')
}

function attempt<T>(
  { platform, actor }: WalletCall,
  change: RuleChange<T>,
  { means, isConfirmed }: { readonly means: Means; readonly isConfirmed: (relaxes: JsonObject) => boolean },
): Promise<Attempt<T>> {
  return platform.db.transaction(async (tx): Promise<Attempt<T>> => {
    await lockActor(tx, actor)
    const relaxes = await change.relaxes(tx)
    return relaxes === null || isConfirmed(relaxes) ? { saved: await change.save(tx, means) } : { relaxes }
  })
}
