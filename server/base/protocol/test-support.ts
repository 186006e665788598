/** Keys and builders that the tests of this folder share. */
import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { encodeBase64url } from './encoding'
import { ProtocolError, type ProtocolErrorCode } from './errors'
import { type PublicJwk, parsePublicJwk } from './jwk'
import { type PresentationVerification, parsePresentation, verifyPresentation } from './presentation'

export interface TestKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: PublicJwk
}

function describeKey({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): TestKey {
  const jwk = parsePublicJwk(publicKey.export({ format: 'jwk' }))
  return { kid: thumbprintOf(jwk), privateKey, publicKey, jwk }
}

/** Returns the RFC 7638 thumbprint synchronously, so that keys can be made while a suite is collected. */
function thumbprintOf(jwk: PublicJwk): string {
  const { crv, kty, x } = jwk
  const required = jwk.kty === 'EC' ? { crv, kty, x, y: jwk.y } : { crv, kty, x }
  return createHash('sha256').update(JSON.stringify(required)).digest('base64url')
}

export const ed25519Key = (): TestKey => describeKey(generateKeyPairSync('ed25519'))
export const p256Key = (): TestKey => describeKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }))

/** The time of every test here, 2026-11-21T12:00:00Z. */
export const NOW = new Date(1_795_262_400_000)
export const NOW_SECONDS = 1_795_262_400

/** Returns the code with which a step is refused, or 'accepted'. Also checks that the message may be public. */
export function codeOf(step: () => unknown): ProtocolErrorCode | 'accepted' {
  try {
    step()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(error.message))
      throw new Error(`unfit message: ${error.message}`, { cause: error })
    return error.code
  }
}

/** Returns the code with which an asynchronous step is refused, or 'accepted'. */
export async function laterCodeOf(step: () => Promise<unknown>): Promise<ProtocolErrorCode | 'accepted'> {
  const outcome = await step().then(
    () => () => undefined,
    (error: unknown) => () => {
      throw error
    },
  )
  return codeOf(outcome)
}

/** Signs bytes with Ed25519, or with P-256 in the raw `r || s` form. */
export function signBytes(data: Uint8Array, key: KeyObject): Buffer {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
}

/** Whether an Ed25519 signature over the data verifies. */
export function isEd25519Signature(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, data, key, signature)
}

/** Signs any payload with any header. */
export function rawJws(header: unknown, payload: unknown, key: { privateKey: KeyObject }): string {
  const part = (value: unknown) => encodeBase64url(typeof value === 'string' ? value : JSON.stringify(value))
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${encodeBase64url(signBytes(Buffer.from(input), key.privateKey))}`
}

/** Returns a copy without one of its members. */
export function without(value: object, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
}

/** Signs a JWT with the algorithm of its key. */
function signJwt(key: TestKey, header: object, claims: object): string {
  return rawJws({ alg: key.jwk.kty === 'OKP' ? 'EdDSA' : 'ES256', ...header }, claims, key)
}

/** Signs a DPoP proof as a client does. */
export function signProof(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'dpop+jwt', jwk: key.jwk, ...header }, claims)
}

/** Signs the key-binding JWT of a presentation as a holder does. */
export function signKeyBinding(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'kb+jwt', ...header }, claims)
}

/** The differences of a presentation from a valid one. */
export interface PresentationDraft {
  readonly issuerKey?: TestKey
  readonly holder?: TestKey
  /** Plain claims; `undefined` leaves one out. */
  readonly claims?: object
  readonly header?: object
  /** Contents of disclosures whose digests are in `_sd`. */
  readonly disclosures?: readonly unknown[]
  /** Encoded disclosures that are sent; by default those above. */
  readonly sent?: readonly string[]
  /** Claims of the key binding; null for none. */
  readonly binding?: object | null
  readonly bindingHeader?: object
}

/** The parties of the presentations that the tests make. */
export const ATTESTATION = {
  issuer: 'https://issuer.example',
  vct: 'https://issuer.example/vct/pid',
  audience: 'https://verifier.example',
  nonce: 'nonce-1',
} as const

/** Encodes a disclosure. */
export const disclose = (content: unknown): string => encodeBase64url(JSON.stringify(content))
/** Returns the digest of a disclosure, as in `_sd`. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Makes a presentation by an independent issuer and holder, valid except for the changes of the draft. */
export function present(
  keys: { readonly issuerKey: TestKey; readonly holder: TestKey },
  draft: PresentationDraft = {},
) {
  const { issuerKey = keys.issuerKey, holder = keys.holder, binding = {} } = draft
  const disclosures = (draft.disclosures ?? [['salt', 'given_name', 'Ada']]).map((content) => disclose(content))
  const claims = {
    iss: ATTESTATION.issuer,
    vct: ATTESTATION.vct,
    iat: NOW_SECONDS - 60,
    exp: NOW_SECONDS + 3_600,
    cnf: { jwk: holder.jwk },
    _sd: disclosures.map(digestOf),
    _sd_alg: 'sha-256',
    ...draft.claims,
  }
  const jwt = signJwt(issuerKey, { typ: 'dc+sd-jwt', kid: issuerKey.kid, ...draft.header }, claims)
  const boundText = [jwt, ...(draft.sent ?? disclosures), ''].join('~')
  if (binding === null) return boundText
  const bound = {
    iat: NOW_SECONDS,
    aud: ATTESTATION.audience,
    nonce: ATTESTATION.nonce,
    sd_hash: digestOf(boundText),
    ...binding,
  }
  return boundText + signKeyBinding(holder, bound, draft.bindingHeader)
}

/** Returns two issuers, each with a holder, and a verifier that knows both and accepts these algorithms. */
export function presentationVerifier(accepted: readonly string[]) {
  const edKeys = { issuerKey: ed25519Key(), holder: ed25519Key() }
  const ecKeys = { issuerKey: p256Key(), holder: p256Key() }
  const binding = { audiences: [ATTESTATION.audience], nonce: ATTESTATION.nonce, jkt: null }
  const expected = (more: Partial<PresentationVerification> = {}): PresentationVerification => ({
    algorithms: accepted,
    findKey: ({ kid }) => Promise.resolve((kid === ecKeys.issuerKey.kid ? ecKeys : edKeys).issuerKey.publicKey),
    binding,
    now: NOW,
    ...more,
  })
  const verifyCompact = async (compact: string, more: Partial<PresentationVerification> = {}) =>
    verifyPresentation(parsePresentation(compact), expected(more))
  const outcome = (compact: string, more: Partial<PresentationVerification> = {}) =>
    laterCodeOf(() => verifyCompact(compact, more))
  const draftOutcome = (draft: PresentationDraft) => outcome(present(edKeys, draft))
  return { edKeys, ecKeys, binding, verify: verifyCompact, outcome, draftOutcome }
}
