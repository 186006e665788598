import type { PASSKEYS_MAX as Max, PASSKEY_NAME_MAX as NameMax } from '@/server/identity/passkeys/contract'

// The contract itself would bring its schemas into the browser.
export const PASSKEYS_MAX: typeof Max = 20
/** In characters. */
export const PASSKEY_NAME_MAX: typeof NameMax = 60
