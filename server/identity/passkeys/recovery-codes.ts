import type { Randomness } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'

/** Crockford's base32: without I, L, O and U, which are misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 120 bits; a code of less than 112 would need a slow hash (NIST SP 800-63B section 5.1.2.2). */
const CODE_CHARS = 24
const GROUP = /.{4}(?=.)/g

/** Returns a new code of 120 random bits, in groups of four: `7K3M-Q9TD-V2XA-HB5N-0CWE-R84G`. */
export function newRecoveryCode(random: Randomness): string {
  const letters = [...random.bytes(CODE_CHARS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return letters.join('').replace(GROUP, '$&-')
}

/** Returns the hash that is stored of a code. Case, blanks, hyphens and commonly misread letters do not matter. */
export function hashRecoveryCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return sha256Base64url(`recovery-code:${letters}`)
}
