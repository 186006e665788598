import type { Platform } from '../../base/core/platform'
import { consumeChallenge, insertChallenge } from './challenge-store'
import {
  type AuthenticationResponse,
  CHALLENGE_TTL_SECONDS,
  type PasskeyRequest,
  SIGN_IN_CHALLENGES_PER_MINUTE,
} from './contract'
import { passkeyRequest } from './passkey-request'
import { requireWebauthnRelyingParty, webauthnRelyingParty } from './relying-party'
import { takeSignInQuota } from './sign-in-quota'
import { userHandle } from './start-registration'
import { findPasskey, savePasskeyUse } from './store'
import { verifyAssertion } from './verify-assertion'

const anonymous = { purpose: 'sign_in', principalId: null, sessionId: null } as const

/**
 * Returns a challenge for a sign-in by passkey. 409 when the installation has no passkeys; 429 for too many requests.
 */
export async function startPasskeySignIn(
  platform: Platform,
  address: string | null,
): Promise<{ readonly challenge_id: string; readonly options: PasskeyRequest }> {
  const party = requireWebauthnRelyingParty(platform.config)
  await takeSignInQuota(platform, { name: 'sign-in-passkey', address, perMinute: SIGN_IN_CHALLENGES_PER_MINUTE })
  const id = platform.random.token(16)
  const challenge = platform.random.token(32)
  const now = platform.clock.now()
  await insertChallenge(platform.db, {
    ...anonymous,
    id,
    nonce: challenge,
    challenge,
    now,
    ttlSeconds: CHALLENGE_TTL_SECONDS,
  })
  return { challenge_id: id, options: passkeyRequest(party, { challenge, passkeys: [] }) }
}

export interface PasskeySignIn {
  readonly challengeId: string
  readonly response: AuthenticationResponse
}

/**
 * Returns the id of the person whose passkey signed the challenge. Null for a used or expired challenge, an unknown
 * passkey, an erased person and a wrong signature alike. The challenge is used up in any case.
 */
export async function finishPasskeySignIn(
  platform: Platform,
  { challengeId, response }: PasskeySignIn,
): Promise<string | null> {
  const party = webauthnRelyingParty(platform.config)
  if (party === null) return null
  const now = platform.clock.now()
  const used = await consumeChallenge(platform.db, challengeId, { ...anonymous, now })
  if (used === null) return null
  const passkey = await findPasskey(platform.db, response.id)
  // The request named no person, so the authenticator has to (WebAuthn section 7.2 step 6).
  if (passkey === null || response.response.userHandle !== userHandle(passkey.principal_id)) return null
  const publicKey = Buffer.from(passkey.public_key, 'hex')
  const verified = await verifyAssertion(party, { response, challenge: used.challenge, publicKey })
  if (verified === null) return null
  const principalId = passkey.principal_id
  if (await savePasskeyUse(platform.db, passkey.id, { principalId, ...verified, now })) return principalId
  platform.log.warn('the signature counter of a passkey went back', {})
  return null
}
