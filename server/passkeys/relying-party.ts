import { isIP } from 'node:net'
import { ServiceError } from '../core/errors'
import type { Config } from '../core/platform'

/** Who asks for credentials, as browsers know us (WebAuthn section 4). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Null where the address is an IP address: credentials belong to domains (WebAuthn section 5.1.3). */
export function relyingParty({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty | null {
  const { hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return { id: hostname, origin, name: 'Countersign' }
}

/** The relying party, or 409 conflict where there can be none. */
export function requireRelyingParty(config: Pick<Config, 'baseUrl'>): RelyingParty {
  const party = relyingParty(config)
  if (party !== null) return party
  throw new ServiceError('conflict', 'Passkeys need a host name; this installation is reached by an IP address.')
}
