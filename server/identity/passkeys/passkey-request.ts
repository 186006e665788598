import { CHALLENGE_TTL_SECONDS, type PasskeyRequest } from './contract'
import type { WebauthnRelyingParty } from './relying-party'
import type { ListedPasskey } from './store'

interface RequestInputs {
  readonly challenge: string
  /** The passkeys that may respond; when empty, any passkey of this site. */
  readonly passkeys: readonly ListedPasskey[]
}

/** Returns the options for `navigator.credentials.get`. */
export function passkeyRequest(party: WebauthnRelyingParty, { challenge, passkeys }: RequestInputs): PasskeyRequest {
  return {
    challenge,
    rpId: party.id,
    timeout: CHALLENGE_TTL_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, type: 'public-key', transports })),
  }
}
