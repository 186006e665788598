import type { WalletCall } from '@/server/base/core/call'
import { registerPasskey, startRegistration, stepUpOptions } from '@/server/identity/passkeys'
import type { StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { createAuthenticator } from './software-authenticator'

export interface PasskeyHolder {
  /** Confirms exactly this with the passkey. */
  confirm(call: WalletCall, action: StepUpAction): Promise<StepUpProof>
}

/** Gives the person their first passkey, in a session that was opened just now. */
export async function addPasskey(call: WalletCall): Promise<PasskeyHolder> {
  const { hostname, origin } = new URL(call.platform.config.baseUrl)
  const authenticator = createAuthenticator({ rpId: hostname, origin })
  const { challenge_id, options } = await startRegistration(call, {})
  await registerPasskey(call, { challenge_id, name: 'Laptop', response: authenticator.create(options) })
  return {
    async confirm(caller, action) {
      const asked = await stepUpOptions(caller, action)
      if (asked.way !== 'passkey') throw new Error(`asked for ${asked.way}, not for a passkey`)
      return { challenge_id: asked.challenge_id, response: authenticator.get(asked.options) }
    },
  }
}
