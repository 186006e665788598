import { failpoint } from '../../base/core/failpoints'
import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import { advance } from './advance'
import { mayAgentPay } from './authority-store'
import {
  FIRST_LOOK_SECONDS,
  LEASE_MAX_SECONDS,
  LOOK_PAUSE_MAX_SECONDS,
  PROCESSOR_BUDGET_MILLISECONDS,
  PROCESSOR_CLOCK_SKEW_SECONDS,
  RESOLVER_BATCH,
  RESOLVER_LEASE_SECONDS,
  RESOLVER_PARALLEL,
  RESUBMIT_UNTIL_SECONDS,
} from './bounds'
import {
  claimUnresolved,
  findSettlementDetails,
  type Settlement,
  type SettlementDetails,
  type SettlementStatus,
} from './store'

/**
 * Determines the outcome of settlements that no process works on any more: asks the processor, and submits again, under
 * the same keys, those that it has never seen or never decided and that may still be charged. Any number of processes
 * may run it; each settlement is claimed by one of them at a time. Continues until nothing is due or the signal is
 * aborted. Returns how many settlements were looked at.
 */
export async function resolveUnknown(platform: Platform, signal?: AbortSignal): Promise<number> {
  let looked = 0
  for (;;) {
    const taken = await resolveBatch(platform)
    looked += taken
    if (taken < RESOLVER_BATCH || signal?.aborted === true) return looked
  }
}

async function resolveBatch(platform: Platform): Promise<number> {
  const now = platform.clock.now()
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const queue = await claimUnresolved(platform.db, {
    now,
    leaseUntil: after(RESOLVER_LEASE_SECONDS),
    latestLease: after(LEASE_MAX_SECONDS),
    limit: RESOLVER_BATCH,
  })
  await failpoint('boot.mid_recover')
  const taken = queue.length
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await resolveOne(platform, next)
  }
  await Promise.all(Array.from({ length: RESOLVER_PARALLEL }, worker))
  return taken
}

async function resolveOne(platform: Platform, claimed: Settlement): Promise<void> {
  try {
    const settlement = await findSettlementDetails(platform.db, claimed.id)
    invariant(settlement !== null, 'a reserved settlement has a row')
    const resolved = await resolve(platform, settlement)
    if (resolved !== null && resolved.response !== null) return
  } catch (cause) {
    platform.log.warn('settlement not resolved', { settlementId: claimed.id }, cause)
  }
  const lookAt = nextLook(claimed, platform.clock.now())
  await advance(platform, 'resolver', { kind: 'defer', settlementId: claimed.id, lookAt })
}

/** Returns when to look next; pauses grow with the settlement's age, up to a minute. */
function nextLook(settlement: Settlement, now: Date): Date {
  const ageSeconds = (now.getTime() - settlement.reserved_at.getTime()) / 1000
  const pauseSeconds = Math.min(LOOK_PAUSE_MAX_SECONDS, Math.max(FIRST_LOOK_SECONDS, ageSeconds / 4))
  return new Date(now.getTime() + pauseSeconds * 1000)
}

async function resolve(platform: Platform, settlement: SettlementDetails): Promise<SettlementStatus | null> {
  if (settlement.payment_intent_id === null) return resolveUnsubmitted(platform, settlement)
  const intent = await platform.processor.retrievePaymentIntent(settlement.payment_intent_id)
  if (intent === null || intent.settlementId !== settlement.id) {
    platform.log.error('payment intent of a settlement is not known to the processor', { settlementId: settlement.id })
    return null
  }
  if (intent.outcome.status !== 'unknown') {
    return advance(platform, 'resolver', { kind: 'reconcile', settlementId: settlement.id, intent })
  }
  const charge = { settlement, paymentIntentId: intent.id }
  const code = await reasonToGiveUp(platform, settlement)
  return code === null
    ? advance(platform, 'resolver', { kind: 'confirm', ...charge })
    : advance(platform, 'resolver', { kind: 'close', ...charge, code })
}

/**
 * Resolves a settlement without a stored handle, for which the processor was never told to move money. While it may
 * still be charged, the submission continues; after that the held money is released. The processor is asked first all
 * the same, because a database that was restored may have lost a handle.
 */
async function resolveUnsubmitted(platform: Platform, settlement: SettlementDetails): Promise<SettlementStatus | null> {
  const intent = await platform.processor.findPaymentIntent({
    settlementId: settlement.id,
    customerId: settlement.customer_id,
    createdAfter: new Date(settlement.reserved_at.getTime() - PROCESSOR_CLOCK_SKEW_SECONDS * 1000),
  })
  if (intent !== null && intent.outcome.status !== 'unknown') {
    return advance(platform, 'resolver', { kind: 'reconcile', settlementId: settlement.id, intent })
  }
  const code = await reasonToGiveUp(platform, settlement)
  if (code !== null) return advance(platform, 'resolver', { kind: 'release', settlement, code })
  const abandoned = AbortSignal.timeout(PROCESSOR_BUDGET_MILLISECONDS)
  return advance(platform, 'resolver', { kind: 'submit', settlement, abandoned })
}

/**
 * Returns why a card that was not charged yet may not be charged any more: the agent may not pay with the
 * mandate, or the processor may soon forget the idempotency keys. Null while it may be charged.
 */
async function reasonToGiveUp({ db, clock }: Platform, settlement: SettlementDetails): Promise<string | null> {
  if (!(await mayAgentPay(db, settlement.mandate_id))) return 'authorization_withdrawn'
  const ageSeconds = (clock.now().getTime() - settlement.reserved_at.getTime()) / 1000
  return ageSeconds < RESUBMIT_UNTIL_SECONDS ? null : 'processor_unavailable'
}
