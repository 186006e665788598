import { isIP } from 'node:net'
import { ServiceError } from '../../base/core/errors'
import type { Config } from '../../base/core/platform'

/** The party that credentials are created for and presented to (WebAuthn section 4). */
export interface WebauthnRelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/**
 * Returns the relying party; null for an installation at an IP address: credentials are bound to domains (WebAuthn
 * section 5.1.3).
 */
export function webauthnRelyingParty({ baseUrl }: Pick<Config, 'baseUrl'>): WebauthnRelyingParty | null {
  const { hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin, name: 'Countersign' }
}

/** Returns the relying party; 409 conflict for an installation that has none. */
export function requireWebauthnRelyingParty(config: Pick<Config, 'baseUrl'>): WebauthnRelyingParty {
  const party = webauthnRelyingParty(config)
  if (party !== null) return party
  throw new ServiceError(
    'conflict',
    'Passkeys need a host name, and the address of this installation is an IP address.',
  )
}
