import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose'
import { CountersignError } from '../errors.js'

/** The algorithms accepted for tokens, mandates, key bindings and receipts: EdDSA and its RFC 9864 name. */
export const JWT_ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519']
/** The algorithm of this client's signatures. */
export const SIGNING_ALGORITHM = 'EdDSA'
/** Algorithms of HTTP message signatures. @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-6.2} */
export const MESSAGE_SIGNATURE_ALGORITHMS: readonly string[] = ['ed25519', 'ecdsa-p256-sha256']
/** @see {@link https://www.rfc-editor.org/rfc/rfc9530#section-5} */
export const DIGEST_BYTES: Readonly<Record<string, number>> = { 'sha-256': 32, 'sha-512': 64 }

/** Returns the header of a JWT if its algorithm and type are allowed; throws a CountersignError otherwise. */
export function requireJwtHeader(jwt: string, expected: { readonly type: string; readonly what: string }): JwtHeader {
  let header: ProtectedHeaderParameters
  try {
    header = decodeProtectedHeader(jwt)
  } catch {
    throw new CountersignError(`refused a malformed ${expected.what}`)
  }
  if (header.alg === undefined || !JWT_ALGORITHMS.includes(header.alg)) {
    throw new CountersignError(
      `refused ${expected.what} signed with a rejected algorithm (${printableName(header.alg)})`,
    )
  }
  if (header.typ?.toLowerCase().replace(/^application\//, '') !== expected.type) {
    throw new CountersignError(`refused ${expected.what} of another type`)
  }
  return header
}

/** The header of a JWT whose algorithm and type were checked. */
export type JwtHeader = ProtectedHeaderParameters

/** Returns a name that another party chose if it is safe to display, otherwise `unnamed`. */
export const printableName = (name: unknown): string =>
  typeof name === 'string' && /^[\w.+-]{1,40}$/.test(name) ? name : 'unnamed'
