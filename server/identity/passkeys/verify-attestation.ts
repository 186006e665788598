import { verifyRegistrationResponse } from '@simplewebauthn/server'
import type { RegistrationResponse } from './contract'
import type { WebauthnRelyingParty } from './relying-party'
import { ALGORITHMS } from './start-registration'

export interface NewCredential {
  readonly id: string
  /** Hexadecimal digits. */
  readonly publicKey: string
  readonly counter: number
  readonly deviceType: 'single_device' | 'multi_device'
  readonly backedUp: boolean
}

/**
 * Checks type, challenge, origin, relying party, presence and verification of the person, and the algorithm (WebAuthn
 * section 7.1). Null when any of them is wrong. Attestation is not requested, so the authenticator's maker is not checked.
 */
export async function verifyAttestation(
  party: WebauthnRelyingParty,
  challenge: string,
  { id, rawId, type, response }: RegistrationResponse,
): Promise<NewCredential | null> {
  const { clientDataJSON, attestationObject } = response
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo === undefined || registrationInfo.credential.id !== id) return null
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo
    return {
      id,
      publicKey: Buffer.from(credential.publicKey).toString('hex'),
      counter: credential.counter,
      deviceType: credentialDeviceType === 'multiDevice' ? 'multi_device' : 'single_device',
      backedUp: credentialBackedUp,
    }
  } catch {
    // The library throws for every error of a client.
    return null
  }
}
