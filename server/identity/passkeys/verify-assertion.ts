import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { AuthenticationResponse } from './contract'
import type { WebauthnRelyingParty } from './relying-party'

/** A signature with the challenge and the key that it is verified against. */
export interface Assertion {
  readonly response: AuthenticationResponse
  readonly challenge: string
  readonly publicKey: Buffer
}

export interface VerifiedAssertion {
  readonly counter: number
  readonly backedUp: boolean
}

/**
 * Checks type, challenge, origin, relying party, presence and verification of the person, and the signature (WebAuthn
 * section 7.2). Null when any of them is wrong. The caller compares the counter, because comparing and storing it is
 * one statement.
 */
export async function verifyAssertion(
  party: WebauthnRelyingParty,
  { response, challenge, publicKey }: Assertion,
): Promise<VerifiedAssertion | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: toLibrary(response),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    if (!verified) return null
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    // The library throws for every error of a client.
    return null
  }
}

function toLibrary({ id, rawId, type, response }: AuthenticationResponse): AuthenticationResponseJSON {
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} }
}
