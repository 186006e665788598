import { DAY_MILLISECONDS } from '../../base/core/calendar-day'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { requirePrincipal } from '../../shared/principals'
import type { PrivacyResult, PrivacyRight } from './contract'
import { insertRequest } from './store'

/**
 * Stores and counts a request of the caller, and returns its id. The caller holds the person's lock. Requests in the
 * portal and with tokens are counted apart, so that no agent uses up the person's right there. 429 with the seconds
 * until the next UTC day when the day's requests are used up; 401 for a person who was erased meanwhile.
 */
export async function openRequest(
  tx: Transaction,
  { platform, actor, now }: WalletCall,
  { kind, result }: { readonly kind: PrivacyRight; readonly result: PrivacyResult },
): Promise<string> {
  const { principalId, via } = actor
  const { erased } = await requirePrincipal(tx, principalId)
  if (erased) throw new ServiceError('invalid_token', 'The person has been erased.')
  const id = platform.random.uuid()
  const from = new Date(Math.floor(now.getTime() / DAY_MILLISECONDS) * DAY_MILLISECONDS)
  const to = new Date(from.getTime() + DAY_MILLISECONDS)
  if (await insertRequest(tx, { id, principalId, kind, result, via, day: { from, to }, now })) return id
  const seconds = Math.ceil((to.getTime() - now.getTime()) / 1000)
  const headers = { 'retry-after': String(seconds) }
  throw new ServiceError('rate_limited', 'This right was used ten times today. Try again tomorrow (UTC).', { headers })
}
