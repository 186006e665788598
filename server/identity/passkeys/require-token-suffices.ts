import { type Acr, acrValue } from '../../base/core/authentication'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Config } from '../../base/core/platform'
import { FRESH_SESSION_SECONDS } from './contract'
import { webauthnRelyingParty } from './relying-party'
import { needsPasskey } from './step-up-required'
import { readPasskeyStatus } from './store'

/**
 * Requires that a wallet token suffices for a change after which agents may pay more. The access of the token must have
 * been confirmed within the last fifteen minutes: with a passkey, or by a mailed link when the person has no passkey
 * and the agent may not pay. 401 insufficient_user_authentication otherwise. Does nothing in the portal, where
 * `proveStepUp` decides.
 */
export async function requireTokenSuffices({ actor, platform, now }: WalletCall): Promise<void> {
  if (actor.via !== 'token') return
  const { acr, authTime, mayPay } = actor.token
  const isRecent = now.getTime() - authTime.getTime() <= FRESH_SESSION_SECONDS * 1000
  if (isRecent && acr === 'phr') return
  const status = await readPasskeyStatus(platform.db, actor.principalId)
  const takesMail = !mayPay && !needsPasskey(status, webauthnRelyingParty(platform.config))
  if (isRecent && acr === 'mail' && takesMail) return
  throw buildInsufficientError(platform.config, takesMail ? ['phr', 'mail'] : ['phr'])
}

/**
 * Builds the 401 whose challenge names the `acr` values that suffice, for each scheme that is accepted (RFC 9470
 * section 3).
 */
function buildInsufficientError({ requireDpop }: Config, acrs: readonly Acr[]): ServiceError {
  const values = acrs.map(acrValue).join(' ')
  const parameters = `error="insufficient_user_authentication", acr_values="${values}", max_age="${FRESH_SESSION_SECONDS}"`
  const schemes = requireDpop ? ['DPoP'] : ['DPoP', 'Bearer']
  const headers = { 'www-authenticate': schemes.map((scheme) => `${scheme} ${parameters}`).join(', ') }
  const description = 'The person has to confirm the access of this token again, or do this in their wallet.'
  return new ServiceError('insufficient_user_authentication', description, { headers })
}
