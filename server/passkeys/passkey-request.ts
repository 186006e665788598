import { CHALLENGE_TTL_SECONDS, type PasskeyRequest } from './contract'
import type { RelyingParty } from './relying-party'
import type { PasskeyRow } from './store'

interface Asked {
  readonly challenge: string
  /** Those that may answer; any of this site when there are none. */
  readonly passkeys: readonly PasskeyRow[]
}

/** What the browser is asked to have signed. */
export function passkeyRequest(party: RelyingParty, { challenge, passkeys }: Asked): PasskeyRequest {
  return {
    challenge,
    rpId: party.id,
    timeout: CHALLENGE_TTL_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, type: 'public-key', transports })),
  }
}
