import { timingSafeEqual } from 'node:crypto'
import { sha256Base64url } from './encoding'

/** 43 to 128 unreserved characters, for verifier and challenge (RFC 7636 sections 4.1 and 4.2). */
const UNRESERVED_43_TO_128 = /^[A-Za-z0-9\-._~]{43,128}$/

/** Whether a text can be a code challenge. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2} */
export function isCodeChallenge(text: string): boolean {
  return UNRESERVED_43_TO_128.test(text)
}

/** Whether a text can be a code verifier. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.1} */
export function isCodeVerifier(text: string): boolean {
  return UNRESERVED_43_TO_128.test(text)
}

/**
 * Whether the verifier matches the S256 challenge; compares in constant time.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.6}
 */
export function verifierMatches(verifier: string, challenge: string): boolean {
  if (!isCodeVerifier(verifier)) return false
  const [given, wanted] = [Buffer.from(sha256Base64url(verifier)), Buffer.from(challenge)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
