import type { Call } from '../../base/core/call'
import { currencyDigits } from '../../base/core/money'
import type { Transaction } from '../../base/core/platform'
import { lockActivePrincipal } from '../../shared/principals'
import { readLimitsOf, recordLimits } from './change-limits'
import { DEFAULT_TIME_ZONE, type Limits, NO_LIMITS } from './rules'

/** The first limits of a person, in major units of the person's currency. */
const START_DAILY = 50
const START_PER_PAYMENT = 20

interface NewPerson {
  readonly principalId: string
  readonly currency: string
}

/** Saves the initial limits for a person who has just been created, and returns them. */
export async function startLimits(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, currency }: NewPerson,
): Promise<Limits> {
  const owner = { principalId, clientId: null }
  await lockActivePrincipal(tx, principalId)
  const before = await readLimitsOf(tx, owner)
  const unit = 10 ** (currencyDigits(currency) ?? 2)
  const after = {
    ...NO_LIMITS,
    dailyCapMinor: START_DAILY * unit,
    singleTxnCapMinor: START_PER_PAYMENT * unit,
    currency,
    timeZone: DEFAULT_TIME_ZONE,
  }
  const actor = { via: 'portal' as const, session: null }
  await recordLimits(tx, { platform, now, actor }, { owner, kind: 'start', before, after })
  return after
}
