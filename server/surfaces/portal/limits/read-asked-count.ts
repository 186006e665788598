import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { DAY_MILLISECONDS } from '../../../base/core/calendar-day'
import type { WalletCall } from '../../../base/core/call'
import { parseLimits, readSavedLimits } from '../../../wallet/limits'
import { limitsFromWire } from '../../../wallet/limits/input'
import type { readAskedCountProcedure } from './contract'
import { evaluatePast } from './count-asked'
import { type KnownPayment, listPastPayments } from './store'
import type { AskedCount } from './view'

/** The number of days for which payments are evaluated. */
const EVALUATED_DAYS = 30
/** The number of days to which the longest window reaches back: a month, or 31 days for a number of payments. */
const REACHING_DAYS = 32
/** The most payments that are read, the newest first; older ones are not counted. */
const PAYMENTS_MAX = 10_000

/** The most payments that are listed, the newest first. */
const TOLD_MAX = 50

/**
 * Returns how many of the person's payments of the last 30 days would have needed an approval under these limits, saved
 * or not, and which. 422 as for saving them.
 */
export async function readAskedCount(
  call: WalletCall,
  { other_currencies: typed, ...wanted }: ProcedureInput<typeof readAskedCountProcedure>,
): Promise<AskedCount> {
  const { platform, actor, now } = call
  const currencies = typed ?? (await readSavedLimits(call))?.other_currencies ?? {}
  const { others } = limitsFromWire({ other_currencies: currencies })
  const limits = { ...parseLimits(platform, wanted), others }
  const from = new Date(now.getTime() - EVALUATED_DAYS * DAY_MILLISECONDS)
  const since = new Date(from.getTime() - REACHING_DAYS * DAY_MILLISECONDS)
  const newest = await listPastPayments(platform.db, actor.principalId, { since, limit: PAYMENTS_MAX })
  const { asked, ...counts } = evaluatePast(limits, newest.toReversed(), from)
  return { ...counts, asked: asked.length, asked_about: asked.slice(-TOLD_MAX).toReversed().map(renderAsked) }
}

function renderAsked({ at, amountMinor, currency, made }: KnownPayment): AskedCount['asked_about'][number] {
  return { ...made, amount_minor: amountMinor, currency, at: at.toISOString() }
}
