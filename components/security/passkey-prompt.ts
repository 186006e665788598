import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import type { PasskeyCreation, PasskeyRequest } from '@/server/identity/passkeys/contract'

export type PromptFailure = 'cancelled' | 'unsupported' | 'known' | 'failed'

/** Thrown when the browser's prompt ended without a passkey. */
export class PasskeyPromptError extends Error {
  override readonly name = 'PasskeyPromptError'
  constructor(readonly reason: PromptFailure) {
    super(`The passkey prompt ended: ${reason}`)
  }
}

// Most pages never need the library, so it is loaded with the first prompt.
const library = () => import('@simplewebauthn/browser')

/** Asks the person for one of the passkeys in `options`, until the signal aborts. Throws PasskeyPromptError. */
export function askPasskey(optionsJSON: PasskeyRequest, signal?: AbortSignal): Promise<AuthenticationResponseJSON> {
  return prompt(async () => {
    const { startAuthentication, WebAuthnAbortService } = await library()
    signal?.throwIfAborted()
    const close = () => WebAuthnAbortService.cancelCeremony()
    signal?.addEventListener('abort', close)
    return startAuthentication({ optionsJSON }).finally(() => signal?.removeEventListener('abort', close))
  })
}

/** Offers passkeys in the autofill of the sign-in field, until one is chosen or another prompt opens. */
export function offerPasskeys(optionsJSON: PasskeyRequest): Promise<AuthenticationResponseJSON> {
  return prompt(async () => (await library()).startAuthentication({ optionsJSON, useBrowserAutofill: true }))
}

export async function canOfferPasskeys(): Promise<boolean> {
  return (await library()).browserSupportsWebAuthnAutofill()
}

/** Ends an open offer, for instance when its page is left. */
export async function withdrawOffer(): Promise<void> {
  ;(await library()).WebAuthnAbortService.cancelCeremony()
}

/** Lets the person create a passkey. Throws PasskeyPromptError. */
export function makePasskey(optionsJSON: PasskeyCreation): Promise<RegistrationResponseJSON> {
  return prompt(async () => (await library()).startRegistration({ optionsJSON }))
}

async function prompt<T>(open: () => Promise<T>): Promise<T> {
  if (typeof window.PublicKeyCredential !== 'function') throw new PasskeyPromptError('unsupported')
  try {
    return await open()
  } catch (error) {
    throw new PasskeyPromptError(reasonOf(error))
  }
}

/**
 * Returns the reason for an error name of WebAuthn sections 5.1.3 and 5.1.4; every way in which a person ends the
 * prompt is NotAllowedError.
 */
function reasonOf(error: unknown): PromptFailure {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  if (name === 'InvalidStateError') return 'known'
  return name === 'SecurityError' || name === 'NotSupportedError' ? 'unsupported' : 'failed'
}
