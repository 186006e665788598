import type { WalletCall } from '@/server/base/core/call'
import { registerPasskey, startRegistration, stepUpOptions } from '@/server/identity/passkeys'
import type { PasskeyCreation, StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { type Browser, dataOf } from './browser'
import { createAuthenticator } from './software-authenticator'

export interface PasskeyHolder {
  /** Confirms exactly this action with the passkey. */
  confirm(call: WalletCall, action: StepUpAction): Promise<StepUpProof>
}

/** Adds the person's first passkey, in a session that was opened just now. */
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

/** A passkey of a person who uses the portal with a browser. */
export interface PasskeyInBrowser {
  /** Confirms exactly this action with the passkey, in the browser's session. */
  prove(browser: Browser, action: StepUpAction): Promise<StepUpProof>
}

interface Registration {
  readonly challenge_id: string
  readonly options: PasskeyCreation
  /** The recovery code with which the registration was started; left out where there was none. */
  readonly code?: string
}

/** Finishes a registration that was started in the browser. */
export async function createPasskey(
  browser: Browser,
  { baseUrl }: { readonly baseUrl: string },
  { options, ...started }: Registration,
): Promise<PasskeyInBrowser> {
  const { hostname, origin } = new URL(baseUrl)
  const authenticator = createAuthenticator({ rpId: hostname, origin })
  const registration = { ...started, name: 'Laptop', response: authenticator.create(options) }
  dataOf(await browser.mutate('security.register', registration))
  return {
    async prove(caller, action) {
      const asked = dataOf<Awaited<ReturnType<typeof stepUpOptions>>>(
        await caller.mutate('security.stepUpOptions', action),
      )
      if (asked.way !== 'passkey') throw new Error(`asked for ${asked.way}, not for a passkey`)
      return { challenge_id: asked.challenge_id, response: authenticator.get(asked.options) }
    },
  }
}
