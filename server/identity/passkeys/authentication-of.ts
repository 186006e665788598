import type { Authentication } from '../../base/core/authentication'
import type { WalletCall } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import type { StepUpEvidence } from './contract'

/**
 * Returns how and when the person who approves was authenticated: by passkey now, or by mailed link when the session
 * was opened. For a token the values are its own, so that tokens that approve one another never become fresher.
 */
export function authenticationOf({ actor, now }: WalletCall, evidence: StepUpEvidence | undefined): Authentication {
  if (actor.via === 'token') return { acr: actor.token.acr, authTime: actor.token.authTime }
  if (evidence?.method === 'passkey') return { acr: 'phr', authTime: now }
  invariant(actor.session !== null, 'the portal approves in a session')
  return { acr: 'mail', authTime: actor.session.authenticatedAt }
}
