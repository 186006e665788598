import { type KeyObject, sign, verify } from 'node:crypto'
import {
  component,
  createSignatureSync,
  isSignatureError,
  type ResponseDescriptor,
  type VerifiedSignature,
  type Verifier,
  verifySignature,
} from 'http-message-sig'
import { dateOfEpoch, epochSeconds } from './claims'
import { contentDigest, verifyContentDigest } from './content-digest'
import type { SigningKey } from './eddsa'
import { ensure, ProtocolError } from './errors'
import type { PublicJwk } from './jwk'
import { importKey } from './key-import'
import { CLOCK_SKEW_SECONDS, HTTP_SIGNATURE_MAX_SECONDS } from './lifetimes'

/** The request that a response answers; its method and full URL. */
export interface AnsweredRequest {
  readonly method: string
  readonly url: string
}

/** The header fields of a signed response. */
export interface SignatureHeaders {
  readonly 'content-digest': string
  readonly 'signature-input': string
  readonly signature: string
}

/** The hash of each algorithm of RFC 9421 section 3.3; null for Ed25519, which includes its own. */
const HASHES = { ed25519: null, 'ecdsa-p256-sha256': 'sha256' } as const
/** The components that a signature must cover: of the response, its body, and of the request (RFC 9421 section 2.4). */
const COMPONENTS = [
  component('@status'),
  component('content-type'),
  component('content-digest'),
  component('@authority', { req: true }),
  component('@path', { req: true }),
]
const FIELD_MAX_CHARS = 4_096

/**
 * Signs a response. Returns the headers to send with it.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-3.1}
 */
export function signResponse(input: {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
  readonly request: AnsweredRequest
  readonly key: SigningKey
  readonly now: Date
  readonly tag: string
}): SignatureHeaders {
  const { status, contentType, body, request, key, now, tag } = input
  const digest = contentDigest(body)
  const fields = [
    { name: 'content-type', value: contentType },
    { name: 'content-digest', value: digest },
  ]
  const created = epochSeconds(now)
  const algorithm = algorithmOf(key.privateKey)
  const parameters = { created, expires: created + HTTP_SIGNATURE_MAX_SECONDS, keyid: key.kid, alg: algorithm, tag }
  const signer = { algorithm, sign: (data: Uint8Array) => sign(HASHES[algorithm], data, rawForm(key.privateKey)) }
  const message = describeResponse({ status, fields, request })
  const { signature, signatureInput } = createSignatureSync(message, { components: COMPONENTS, parameters, signer })
  return { 'content-digest': digest, 'signature-input': signatureInput, signature }
}

/** Returns the algorithm of a key, which is Ed25519 or P-256. */
function algorithmOf(key: KeyObject): keyof typeof HASHES {
  return key.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'ecdsa-p256-sha256'
}

/** Returns a key with the signature encoding of RFC 9421 section 3.3.4: `r || s` for ECDSA. */
function rawForm(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const
}

function describeResponse(input: {
  status: number
  fields: ResponseDescriptor['fields']
  request: AnsweredRequest
}): ResponseDescriptor {
  const { status, fields, request } = input
  const asked = { kind: 'request', method: request.method, targetUri: request.url, fields: [] } as const
  return { kind: 'response', status, fields, request: asked }
}

/** A signed response, with the request, keys and time for its verification. */
export interface ResponseVerification {
  readonly status: number
  readonly headers: Headers
  /** The unchanged body, before it is parsed. */
  readonly body: Uint8Array
  readonly request: AnsweredRequest
  /** The keys of the party that must have signed. */
  readonly jwks: readonly PublicJwk[]
  readonly now: Date
  readonly tag: string
}

/** A verified signature over a response. */
export interface VerifiedResponse {
  readonly keyid: string
  readonly created: Date
  readonly expires: Date
}

/**
 * Verifies the signature of a response and that its body is the signed one; every refusal is `invalid_signature`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-3.2}
 */
export async function verifyResponse(expected: ResponseVerification): Promise<VerifiedResponse> {
  const { status, headers, body, request, jwks, now, tag } = expected
  verifyContentDigest(headers.get('content-digest'), body)
  const isBounded = (headers.get('signature-input')?.length ?? 0) <= FIELD_MAX_CHARS
  ensure(isBounded, 'invalid_signature', 'The response signature is too long')
  const fields = Array.from(headers, ([name, value]) => ({ name, value }))
  const policy = {
    algorithms: Object.keys(HASHES),
    requiredComponents: COMPONENTS,
    requiredParameters: ['created', 'expires', 'keyid', 'tag'],
    now: epochSeconds(now),
    clockSkew: CLOCK_SKEW_SECONDS,
    validate: (verified: VerifiedSignature) => isWithinTime(verified, now) && verified.parameters.tag === tag,
  }
  try {
    const message = describeResponse({ status, fields, request })
    const resolveVerifier = ({ parameters }: { parameters: { keyid?: string } }) => findVerifier(jwks, parameters.keyid)
    const { parameters } = await verifySignature(message, { policy, resolveVerifier })
    const { keyid = '', created = 0, expires = 0 } = parameters
    return { keyid, created: dateOfEpoch(created), expires: dateOfEpoch(expires) }
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    // The code is one of a fixed set, while the message may contain parts of the input.
    const reason = isSignatureError(error) ? error.code : 'Malformed'
    throw new ProtocolError('invalid_signature', `The response signature is not accepted: ${reason}`)
  }
}

/** Whether a signature is within its allowed lifetime, without leeway (RFC 9421 section 3.2 (5)). */
function isWithinTime({ parameters: { created = 0, expires = 0 } }: VerifiedSignature, now: Date): boolean {
  const isShort = expires > created && expires - created <= HTTP_SIGNATURE_MAX_SECONDS
  return isShort && expires > epochSeconds(now)
}

/** Returns the verifier of a key, with its algorithm; another `alg` is an error (RFC 9421 section 3.2 (6)). */
async function findVerifier(jwks: readonly PublicJwk[], keyid: string | undefined): Promise<Verifier> {
  const jwk = jwks.find(({ kid }) => kid !== undefined && kid === keyid)
  ensure(jwk, 'invalid_signature', 'The response is not signed by a known key')
  const { key } = await importKey(jwk)
  const algorithm = algorithmOf(key)
  return { algorithm, verify: (data, signature) => verify(HASHES[algorithm], data, rawForm(key), signature) }
}
