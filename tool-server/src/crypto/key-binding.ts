import { SignJWT } from 'jose'
import { SIGNING_ALGORITHM } from './algorithms.js'
import { disclosureName } from './disclosures.js'
import { type SigningKey, sha256 } from './keys.js'

/** The recipient of a presentation and its nonce. */
export interface PresentationTarget {
  readonly audience: string
  readonly nonce: string
}

/** The claims that a merchant does not get: it is paid without knowing who pays, and with what. */
const WITHHELD: readonly string[] = ['principal', 'instrument', 'caps']

/**
 * Returns the mandate with the disclosures that a merchant needs and a key binding for this merchant and nonce.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-4.3}
 */
export async function createPresentation(
  key: SigningKey,
  mandate: string,
  target: PresentationTarget,
): Promise<string> {
  const [jwt, ...disclosures] = mandate.split('~').slice(0, -1)
  const shown = disclosures.filter((disclosure) => !WITHHELD.includes(disclosureName(disclosure) ?? ''))
  const presented = [jwt, ...shown, ''].join('~')
  const binding = await new SignJWT({ nonce: target.nonce, sd_hash: sha256(presented) })
    .setProtectedHeader({ typ: 'kb+jwt', alg: SIGNING_ALGORITHM })
    .setIssuedAt()
    .setAudience(target.audience)
    .sign(key.privateKey)
  return presented + binding
}
