import { SignJWT } from 'jose'
import { SIGNING_ALGORITHM } from './algorithms.js'
import { type SigningKey, sha256 } from './keys.js'

/** For whom a mandate is presented. */
export interface PresentationTarget {
  readonly audience: string
  readonly nonce: string
}

/**
 * The mandate with its disclosures and a key binding for one merchant and one nonce.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4.3}
 */
export async function createPresentation(
  key: SigningKey,
  mandate: string,
  target: PresentationTarget,
): Promise<string> {
  const binding = await new SignJWT({ nonce: target.nonce, sd_hash: sha256(mandate) })
    .setProtectedHeader({ typ: 'kb+jwt', alg: SIGNING_ALGORITHM })
    .setIssuedAt()
    .setAudience(target.audience)
    .sign(key.privateKey)
  return mandate + binding
}
