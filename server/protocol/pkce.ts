import { timingSafeEqual } from 'node:crypto'
import { sha256Base64url } from './encoding'

/** RFC 7636 section 4.1: 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
/** What S256 makes of any verifier: 32 bytes in base64url, so the last character carries two zero bits. */
const S256_CHALLENGE = /^[A-Za-z0-9\-_]{42}[AEIMQUYcgkosw048]$/

/** Whether a text can be an S256 code challenge. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2} */
export function isCodeChallenge(text: string): boolean {
  return S256_CHALLENGE.test(text)
}

/** Whether a text can be a code verifier. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.1} */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text)
}

/** Whether the verifier is the one of the S256 challenge, in constant time. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.6} */
export function verifierMatches(verifier: string, challenge: string): boolean {
  if (!isCodeVerifier(verifier) || !isCodeChallenge(challenge)) return false
  return timingSafeEqual(Buffer.from(sha256Base64url(verifier)), Buffer.from(challenge))
}
