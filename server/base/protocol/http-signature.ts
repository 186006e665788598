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

/** The header fields that make a response a signed one. */
export interface SignatureHeaders {
  readonly 'content-digest': string
  readonly 'signature-input': string
  readonly signature: string
}

/** The hash that each algorithm of RFC 9421 section 3.3 is called with; Ed25519 hashes by itself. */
const HASHES = { ed25519: null, 'ecdsa-p256-sha256': 'sha256' } as const
/** What a signature must cover: the answer, its body, and what was asked of whom (RFC 9421 section 2.4). */
const COMPONENTS = [
  component('@status'),
  component('content-type'),
  component('content-digest'),
  component('@authority', { req: true }),
  component('@path', { req: true }),
]
const FIELD_MAX_CHARS = 4_096

/**
 * Signs a response. The headers go out with it as they are.
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

/** The algorithm of a key, which is Ed25519 or P-256. */
function algorithmOf(key: KeyObject): keyof typeof HASHES {
  return key.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'ecdsa-p256-sha256'
}

/** RFC 9421 section 3.3.4: an ECDSA signature is `r || s`. */
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

/** What a signed response is verified with. */
export interface ResponseVerification {
  readonly status: number
  readonly headers: Headers
  /** The body as it came, before anything is parsed. */
  readonly body: Uint8Array
  readonly request: AnsweredRequest
  /** The keys of the one who must have signed. */
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
    // The code is one of a fixed set of words, unlike the message, which may repeat the input.
    const reason = isSignatureError(error) ? error.code : 'Malformed'
    throw new ProtocolError('invalid_signature', `The response signature is not accepted: ${reason}`)
  }
}

/** RFC 9421 section 3.2 (5): a signature that lives longer than it may, or no longer, is refused without leeway. */
function isWithinTime({ parameters: { created = 0, expires = 0 } }: VerifiedSignature, now: Date): boolean {
  const isShort = expires > created && expires - created <= HTTP_SIGNATURE_MAX_SECONDS
  return isShort && expires > epochSeconds(now)
}

/** RFC 9421 section 3.2 (6): the algorithm is that of the key; a parameter that says otherwise is an error. */
async function findVerifier(jwks: readonly PublicJwk[], keyid: string | undefined): Promise<Verifier> {
  const jwk = jwks.find(({ kid }) => kid !== undefined && kid === keyid)
  ensure(jwk, 'invalid_signature', 'The response is not signed by a known key')
  const { key } = await importKey(jwk)
  const algorithm = algorithmOf(key)
  return { algorithm, verify: (data, signature) => verify(HASHES[algorithm], data, rawForm(key), signature) }
}
