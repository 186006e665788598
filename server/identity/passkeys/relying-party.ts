import { isIP } from 'node:net'
import { ServiceError } from '../../base/core/errors'
import type { Config } from '../../base/core/platform'

/** The party that credentials are created for and presented to (WebAuthn section 4). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Null for an installation at an IP address: credentials are bound to domains (WebAuthn section 5.1.3). */
export function relyingParty({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty | null {
  const { hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin, name: 'Countersign' }
}

/** The relying party; 409 conflict for an installation that has none. */
export function requireRelyingParty(config: Pick<Config, 'baseUrl'>): RelyingParty {
  const party = relyingParty(config)
  if (party !== null) return party
  throw new ServiceError(
    'conflict',
    'Passkeys need a host name, and the address of this installation is an IP address.',
  )
}
