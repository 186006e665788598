import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { FRESH_SESSION_SECONDS } from './contract'
import type { RelyingParty } from './relying-party'
import type { Standing } from './store'

/** Whoever has passkeys confirms with one. Where none can be used, only those who demanded it are held to that. */
export function needsPasskey({ passkeys, required }: Standing, party: RelyingParty | null): boolean {
  return required || (passkeys > 0 && party !== null)
}

/** Whether the session was opened just now, by something that proves who the person is. */
export function isFresh({ actor: { session }, now }: WalletCall): boolean {
  if (session === null || session.method === 'passkey') return false
  return now.getTime() - session.authenticatedAt.getTime() < FRESH_SESSION_SECONDS * 1000
}

const words = {
  passkey: 'Confirm this with your passkey.',
  sign_in: 'Sign in again to confirm this.',
} as const

/** 403 step_up_required, with the way to confirm as `way`. */
export function stepUpRequired(way: 'passkey' | 'sign_in'): ServiceError {
  return new ServiceError('step_up_required', words[way], { members: { way } })
}
