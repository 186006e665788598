import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { component, isSignatureError, type SignatureParameters, type Verifier, verifySignature } from 'http-message-sig'
import { parseDictionary } from 'structured-headers'
import * as z from 'zod'
import { CountersignError } from '../errors.js'
import { MESSAGE_SIGNATURE_MAX_SECONDS, MESSAGE_SIGNATURE_SKEW_SECONDS } from '../limits.js'
import { MESSAGE_SIGNATURE_ALGORITHMS } from './algorithms.js'

/**
 * A public key of a store, accepted for its signatures. @see {@link https://www.rfc-editor.org/rfc/rfc7517#section-4}
 */
export const storeKey = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string() }),
  z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), kid: z.string() }),
])

/** A public key of a store. */
export type StoreKey = z.infer<typeof storeKey>

/** A response as it was received, with the address of its request. */
export interface SignedResponse {
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A signature that is not accepted; the message contains no text of the sender. */
export class SignatureRejected extends CountersignError {
  override readonly name = 'SignatureRejected'
}

interface Candidate {
  readonly parameters: SignatureParameters
}

const HASHES: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])
/** The components that a signature must cover: status, body and request. */
const COMPONENTS = [
  component('@status'),
  component('content-type'),
  component('content-digest'),
  component('@authority', { req: true }),
  component('@path', { req: true }),
]
const rejected = (reason: string) => new SignatureRejected(reason)

/**
 * Checks every supported digest of a response against its bytes as received; throws when there is none.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9530#section-2}
 */
export function requireBodyDigest({ headers, body }: SignedResponse): void {
  const digests = [...parseDictionary(String(headers['content-digest']))]
  const supported = digests.filter(([name]) => HASHES.has(name))
  const isSame = supported.every(([name, [digest]]) => {
    const expected = createHash(HASHES.get(name) ?? '')
      .update(body)
      .digest()
    const given = digest instanceof ArrayBuffer ? Buffer.from(digest) : Buffer.alloc(0)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (supported.length === 0 || !isSame) throw rejected('digest mismatch')
}

/**
 * Checks that a response was signed just now by one of these keys, as the response to its request.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-3.2}
 */
export async function verifyResponseSignature(response: SignedResponse, keys: readonly StoreKey[]): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const policy = {
    algorithms: [...MESSAGE_SIGNATURE_ALGORITHMS],
    requiredComponents: COMPONENTS,
    requiredParameters: ['created', 'expires', 'keyid', 'tag'],
    now,
    // The library's check of the time reports no distinct reason; requireFresh is the stricter check.
    clockSkew: Number.MAX_SAFE_INTEGER,
  }
  const resolveVerifier = ({ parameters }: Candidate) => {
    requireFresh(parameters, now)
    return findVerifier(keys, parameters)
  }
  try {
    await verifySignature(describe(response), { policy, resolveVerifier })
  } catch (error) {
    throw toRejection(error)
  }
}

/** Throws unless the signature states its times and is valid for at most five minutes. */
function requireFresh({ created = 0, expires = 0 }: SignatureParameters, now: number): void {
  const age = now - created
  if (age > MESSAGE_SIGNATURE_MAX_SECONDS || expires <= now) throw rejected('stale signature')
  if (expires - created > MESSAGE_SIGNATURE_MAX_SECONDS) throw rejected('signature lives too long')
  if (age < -MESSAGE_SIGNATURE_SKEW_SECONDS) throw rejected('signature from the future')
}

/** Returns the verifier for the key's algorithm; throws when the parameter names another algorithm. */
function findVerifier(keys: readonly StoreKey[], { keyid, alg }: SignatureParameters): Verifier {
  const jwk = keys.find(({ kid }) => kid === keyid)
  if (jwk === undefined) throw rejected('unknown key')
  const algorithm = jwk.kty === 'OKP' ? 'ed25519' : 'ecdsa-p256-sha256'
  if (alg !== undefined && alg !== algorithm) throw rejected('signature algorithm is not that of the key')
  const key = importPublicKey(jwk)
  const hash = jwk.kty === 'OKP' ? null : 'sha256'
  return { algorithm, verify: (data, signature) => verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature) }
}

function importPublicKey({ kid: _kid, ...key }: StoreKey): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    throw rejected('unusable key')
  }
}

function describe({ url, status, headers }: SignedResponse) {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((single) => ({ name, value: single })),
  )
  const request = { kind: 'request', method: 'GET', targetUri: url, fields: [] } as const
  return { kind: 'response', status, fields, request } as const
}

/** Returns a rejection with a fixed reason, since the library's own message may repeat text of the sender. */
function toRejection(error: unknown): unknown {
  const reason = error instanceof Error && error.cause instanceof SignatureRejected ? error.cause : error
  if (reason instanceof SignatureRejected || !isSignatureError(error)) return reason
  if (error.code === 'VerificationFailed') return rejected('wrong signature')
  if (error.code === 'AlgorithmMismatch') return rejected('signature algorithm is not that of the key')
  return rejected('signature not accepted')
}
