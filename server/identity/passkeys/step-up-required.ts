import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { FRESH_SESSION_SECONDS } from './contract'
import type { WebauthnRelyingParty } from './relying-party'
import type { PasskeyStatus } from './store'

/** Returns whether the person has to confirm with a passkey: they require one, or have one that can be used here. */
export function needsPasskey({ passkeys, required }: PasskeyStatus, party: WebauthnRelyingParty | null): boolean {
  return required || (passkeys > 0 && party !== null)
}

/** Returns whether the session was opened recently, by something other than a passkey. */
export function isFresh({ actor: { session }, now }: WalletCall): boolean {
  if (session === null || session.method === 'passkey') return false
  return now.getTime() - session.authenticatedAt.getTime() < FRESH_SESSION_SECONDS * 1000
}

const messages = {
  passkey: 'Confirm this with your passkey.',
  sign_in: 'Sign in again to confirm this.',
} as const

/** Builds the 403 step_up_required whose `way` says how to confirm. */
export function buildStepUpRequiredError(way: 'passkey' | 'sign_in'): ServiceError {
  return new ServiceError('step_up_required', messages[way], { members: { way } })
}
