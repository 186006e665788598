/** @sd-jwt/sd-jwt-vc as issuer, holder and verifier, for one pair of keys. */
import { createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'

export interface SigningPair {
  readonly alg: 'ES256' | 'EdDSA'
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

const hashOf = ({ alg }: SigningPair) => (alg === 'ES256' ? 'sha256' : null)

/** A bare signature, as both verifiers make and check it. */
function signText(text: string, pair: SigningPair): string {
  const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const
  return sign(hashOf(pair), Buffer.from(text), key).toString('base64url')
}

export function isSigned(text: string, signature: string, pair: SigningPair): boolean {
  const key = { key: pair.publicKey, dsaEncoding: 'ieee-p1363' } as const
  return verify(hashOf(pair), Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}

export function secondVerifier(issuer: SigningPair, holder: SigningPair): SDJwtVcInstance {
  return new SDJwtVcInstance({
    signer: (text: string) => signText(text, issuer),
    verifier: (text: string, signature: string) => isSigned(text, signature, issuer),
    signAlg: issuer.alg,
    kbSigner: (text: string) => signText(text, holder),
    kbVerifier: (text: string, signature: string) => isSigned(text, signature, holder),
    kbSignAlg: holder.alg,
    hasher: (data: string | ArrayBuffer) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest(),
    hashAlg: 'sha-256',
    saltGenerator: (length: number) => randomBytes(length).toString('base64url'),
  })
}
