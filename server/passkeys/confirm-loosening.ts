import { isDeepStrictEqual } from 'node:util'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { invariant } from '../core/invariant'
import type { Transaction } from '../core/platform'
import { lockPrincipal } from '../principals'
import type { JsonObject } from '../protocol/encoding'
import type { StepUpProof } from './contract'
import { proveStepUp } from './prove-step-up'

/** A change of what agents may do without the person. Both run in one transaction, under the person's lock. */
interface RuleChange<T> {
  /** What would be let pass from now on, named from what to what; null when nothing that was not before. */
  readonly loosens: (tx: Transaction) => Promise<JsonObject | null>
  readonly save: (tx: Transaction) => Promise<T>
}

type Attempt<T> = { readonly saved: T } | { readonly loosens: JsonObject }

/**
 * Makes a change at once when it loosens nothing, and after the person confirmed exactly what it loosens otherwise; says
 * so to their open pages. 403 step_up_required when they did not; 409 conflict when something else would be loosened by
 * then, because another change came in between.
 */
export async function confirmLoosening<T>(
  call: WalletCall,
  change: RuleChange<T>,
  proof: StepUpProof | undefined,
): Promise<T> {
  const first = await attempt(call, change, () => false)
  const { saved } = 'saved' in first ? first : await confirmed(call, change, { loosens: first.loosens, proof })
  await call.platform.cache.publish(`principal:${call.actor.principalId}`)
  return saved
}

interface Confirmation {
  readonly loosens: JsonObject
  readonly proof: StepUpProof | undefined
}

/** What is loosened is only known under the lock, where nobody can be asked to confirm anything. */
async function confirmed<T>(call: WalletCall, change: RuleChange<T>, { loosens, proof }: Confirmation) {
  const { method } = await proveStepUp(call, { purpose: 'security.relax', subject: loosens }, proof)
  const second = await attempt(call, change, (now) => method === 'token' || isDeepStrictEqual(now, loosens))
  if ('saved' in second) return second
  invariant(method !== 'token', 'a token confirms whatever is loosened')
  throw new ServiceError('conflict', 'This was changed in the meantime. Look at it again.')
}

function attempt<T>(
  { platform, actor }: WalletCall,
  change: RuleChange<T>,
  isConfirmed: (loosens: JsonObject) => boolean,
): Promise<Attempt<T>> {
  return platform.db.transaction(async (tx): Promise<Attempt<T>> => {
    await lockPrincipal(tx, actor.principalId)
    const loosens = await change.loosens(tx)
    return loosens === null || isConfirmed(loosens) ? { saved: await change.save(tx) } : { loosens }
  })
}
