import type { PASSKEYS_MAX as Max, PASSKEY_NAME_MAX as NameMax } from '@/server/identity/passkeys/contract'

// Repeated here because the contract would load its schemas into the browser.
export const PASSKEYS_MAX: typeof Max = 20
/** The longest name of a passkey, in characters. */
export const PASSKEY_NAME_MAX: typeof NameMax = 60
