import { KeyObject } from 'node:crypto'
import { type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { ProtocolError } from './errors'
import type { ClientJwk } from './jwk'

/** A public key, ready to verify with, and its RFC 7638 thumbprint. */
export interface ImportedKey {
  readonly key: KeyObject
  readonly thumbprint: string
}

/** Imported keys by the members that define a key, so that entries never become outdated. */
const importedKeys = new LRUCache<string, ImportedKey>({ max: 5_000 })

/** Imports a public key; throws for points that are not on the curve. */
export async function importKey(jwk: ClientJwk): Promise<ImportedKey> {
  const id = identityOf(jwk)
  const known = importedKeys.get(id)
  if (known !== undefined) return known
  const [webKey, thumbprint] = await Promise.all([importWithJose(jwk), thumbprintOf(jwk)])
  const imported = { key: KeyObject.from(webKey), thumbprint }
  importedKeys.set(id, imported)
  return imported
}

/** Returns the SHA-256 thumbprint of a key. @see {@link https://www.rfc-editor.org/rfc/rfc7638#section-3} */
export function thumbprintOf(jwk: ClientJwk): Promise<string> {
  return calculateJwkThumbprint({ ...jwk })
}

function identityOf(jwk: ClientJwk): string {
  if (jwk.kty === 'OKP') return jwk.x
  return jwk.kty === 'EC' ? `${jwk.x}.${jwk.y}` : `${jwk.n}.${jwk.e}`
}

const ALGORITHM_OF_TYPE = { OKP: 'EdDSA', EC: 'ES256', RSA: 'RS256' } as const

async function importWithJose(jwk: ClientJwk): Promise<CryptoKey> {
  try {
    return await importJWK({ ...jwk }, ALGORITHM_OF_TYPE[jwk.kty])
  } catch {
    throw new ProtocolError('malformed', 'The key is not valid')
  }
}
