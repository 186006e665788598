import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { ASSERTION_TTL_SECONDS } from '../limits.js'
import { SIGNING_ALGORITHM } from './algorithms.js'
import type { SigningKey } from './keys.js'

/** @see {@link https://www.rfc-editor.org/rfc/rfc7523#section-2.2} */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The client and the issuer that the assertion names. */
export interface AssertionParties {
  readonly clientId: string
  readonly issuer: string
  /** The assertion's lifetime in seconds; a minute by default, longer for a request that may be sent again. */
  readonly ttlSeconds?: number | undefined
}

/**
 * Returns a fresh private_key_jwt for one request, addressed to the issuer only.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7523#section-3}
 */
export function createClientAssertion(key: SigningKey, parties: AssertionParties): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: SIGNING_ALGORITHM, kid: key.thumbprint })
    .setIssuer(parties.clientId)
    .setSubject(parties.clientId)
    .setAudience(parties.issuer)
    .setIssuedAt()
    .setExpirationTime(`${parties.ttlSeconds ?? ASSERTION_TTL_SECONDS}s`)
    .setJti(randomUUID())
    .sign(key.privateKey)
}
