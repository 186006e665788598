/** Keys and builders that the tests of this folder share; no part of the product. */
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

/** RFC 7638, at once, so that keys can be made while a suite is collected. */
function thumbprintOf(jwk: PublicJwk): string {
  const { crv, kty, x } = jwk
  const required = jwk.kty === 'EC' ? { crv, kty, x, y: jwk.y } : { crv, kty, x }
  return createHash('sha256').update(JSON.stringify(required)).digest('base64url')
}

export const ed25519Key = (): TestKey => describeKey(generateKeyPairSync('ed25519'))
export const p256Key = (): TestKey => describeKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }))

/** 2026-11-21T12:00:00Z, the moment at which every test here happens. */
export const NOW = new Date(1_795_262_400_000)
export const NOW_SECONDS = 1_795_262_400

/** The code that a step is refused with, or 'accepted'. Checks on the way that the message may be shown to anybody. */
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

/** The code that an asynchronous step is refused with, or 'accepted'. */
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

/** Signs any bytes under any header. */
export function rawJws(header: unknown, payload: unknown, key: { privateKey: KeyObject }): string {
  const part = (value: unknown) => encodeBase64url(typeof value === 'string' ? value : JSON.stringify(value))
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${encodeBase64url(signBytes(Buffer.from(input), key.privateKey))}`
}

/** A copy without one of its members. */
export function without(value: object, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
}

/** A JWT that names the algorithm of its key. */
function signJwt(key: TestKey, header: object, claims: object): string {
  return rawJws({ alg: key.jwk.kty === 'OKP' ? 'EdDSA' : 'ES256', ...header }, claims, key)
}

/** A DPoP proof as a client makes it. */
export function signProof(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'dpop+jwt', jwk: key.jwk, ...header }, claims)
}

/** The key-binding JWT of a presentation as a holder makes it. */
export function signKeyBinding(key: TestKey, claims: object, header: object = {}): string {
  return signJwt(key, { typ: 'kb+jwt', ...header }, claims)
}

/** How a presentation is to differ from a valid one. */
export interface PresentationDraft {
  readonly issuerKey?: TestKey
  readonly holder?: TestKey
  /** Plain claims; `undefined` leaves one out. */
  readonly claims?: object
  readonly header?: object
  /** Contents of disclosures whose digests stand in `_sd`. */
  readonly disclosures?: readonly unknown[]
  /** Disclosures that are sent, as texts; by default those above. */
  readonly sent?: readonly string[]
  /** Null: without key binding. */
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

/** The text of a disclosure. */
export const disclose = (content: unknown): string => encodeBase64url(JSON.stringify(content))
/** The digest of a disclosure, as `_sd` holds it. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** A presentation that an independent issuer and its holder make, valid unless the draft says otherwise. */
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

/** Two issuers, with a holder each, and a verifier that knows both. `accepted` are the algorithms that it takes. */
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
