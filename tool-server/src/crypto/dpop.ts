import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { SIGNING_ALGORITHM } from './algorithms.js'
import { type SigningKey, sha256 } from './keys.js'

/** The request that a proof is bound to. */
export interface DpopTarget {
  readonly method: string
  readonly url: string
  readonly nonce?: string | undefined
  readonly accessToken?: string | undefined
}

/**
 * Returns a fresh proof of possession for one request. @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.2}
 */
export function createDpopProof(key: SigningKey, target: DpopTarget): Promise<string> {
  const claims = {
    htm: target.method,
    htu: withoutQuery(target.url),
    ...(target.nonce !== undefined && { nonce: target.nonce }),
    ...(target.accessToken !== undefined && { ath: sha256(target.accessToken) }),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: SIGNING_ALGORITHM, jwk: key.publicJwk })
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(key.privateKey)
}

function withoutQuery(url: string): string {
  const parsed = new URL(url)
  parsed.search = ''
  parsed.hash = ''
  return parsed.href
}
