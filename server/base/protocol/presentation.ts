/**
 * Presentations of SD-JWT VCs by issuers on a trust list, EdDSA or ES256. The functions do no I/O: a callback finds the
 * issuer's key, and the caller checks the status last, because none may be fetched for an invalid presentation.
 */
import type { KeyObject } from 'node:crypto'
import { epochSeconds, readAmount, readOptionalTime, readText } from './claims'
import { type DecodedJws, decodeJws, type JwsHeader } from './eddsa'
import { isJsonObject, type JsonObject, sha256Base64url } from './encoding'
import { ensure, refusingAs, refusingLater } from './errors'
import { type PublicJwk, parsePublicJwk } from './jwk'
import { CLIENT_ALGORITHMS, verifyJws } from './jws'
import { type KeyBinding, verifyKeyBinding } from './key-binding'
import { importKey } from './key-import'
import {
  CERTIFICATE_CHAIN_MAX,
  CLOCK_SKEW_SECONDS,
  PRESENTATION_MAX_BYTES,
  SD_JWT_MAX_DEPTH,
  URI_MAX_CHARS,
} from './lifetimes'
import { type Disclosures, parseDisclosures, processSdJwt, splitSdJwt } from './sd-jwt'
import { requireStrongAuthentication } from './strong-authentication'

/** The media type of an SD-JWT VC. The former `vc+sd-jwt`, no longer in the draft, is refused. */
const ATTESTATION_TYPE = 'dc+sd-jwt'

/**
 * Claims that determine whether an attestation is valid, so they must not be in disclosures, whole or in part.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-2.2.2.2}
 */
const PLAIN_ONLY = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status']

/** Members for the verification of the attestation; all others are claims about its subject. */
const MECHANISM = ['cnf', 'status', '_sd', '_sd_alg']

/** The parts of an attestation's header that identify the key. */
export interface AttestationHeader {
  readonly alg: string
  readonly kid?: string
  readonly x5c?: readonly string[]
}

/** A decoded presentation, not verified. */
export interface ParsedPresentation {
  readonly issuer: string
  readonly vct: string
  readonly header: AttestationHeader
  readonly attestation: DecodedJws
  readonly disclosures: Disclosures
  /** The key-binding JWT; null in a presentation without one. */
  readonly keyBinding: DecodedJws | null
  /** The part of the presentation over which `sd_hash` is computed. */
  readonly boundText: string
}

/**
 * Decodes a presentation within its limits (64 KiB, 64 disclosures, 16 levels), before any signature is verified.
 * @throws ProtocolError `vp_token_invalid`
 */
export function parsePresentation(compact: string): ParsedPresentation {
  return refusingAs('vp_token_invalid', () => {
    const { issuerJwt, disclosures, keyBindingJwt, boundText } = splitSdJwt(compact)
    const bounds = { maxBytes: PRESENTATION_MAX_BYTES, maxDepth: SD_JWT_MAX_DEPTH }
    const attestation = decodeJws(issuerJwt, bounds)
    const { header, payload } = attestation
    ensure(header.typ === ATTESTATION_TYPE, 'malformed', 'The typ of the attestation is not dc+sd-jwt')
    ensure(CLIENT_ALGORITHMS.includes(header.alg), 'malformed', 'The alg of the attestation is not supported')
    return {
      issuer: readText(payload, 'iss', URI_MAX_CHARS),
      vct: readText(payload, 'vct', URI_MAX_CHARS),
      header: readKeyHints(header),
      attestation,
      disclosures: parseDisclosures(disclosures),
      keyBinding: keyBindingJwt === null ? null : decodeJws(keyBindingJwt, bounds),
      boundText,
    }
  })
}

function readKeyHints({ alg, kid, x5c }: JwsHeader): AttestationHeader {
  const isChain =
    x5c === undefined ||
    (Array.isArray(x5c) &&
      x5c.length > 0 &&
      x5c.length <= CERTIFICATE_CHAIN_MAX &&
      x5c.every((item): item is string => typeof item === 'string'))
  ensure(isChain, 'malformed', 'The x5c of the attestation is malformed')
  return { alg, ...(kid !== undefined && { kid }), ...(x5c !== undefined && { x5c }) }
}

/** The values that the key binding must match. */
export interface ExpectedBinding {
  readonly audiences: readonly string[]
  /** The nonce; null accepts any, for the caller to compare. */
  readonly nonce: string | null
  /** The thumbprint of the holder's key; null accepts any key. */
  readonly jkt: string | null
  /** The transaction data of the request, as sent; the key binding must contain their hashes. */
  readonly transactionData?: readonly string[]
  /** When set, the key binding must state how the wallet authenticated its holder, for a response in this mode. */
  readonly strongAuthentication?: { readonly responseMode: string }
  /** Whether another presentation of the response may sign the transaction data instead of this one. */
  readonly isOneOfSeveral?: boolean
}

/** The algorithms, keys and values that a presentation must match. */
export interface PresentationVerification {
  /** The algorithms with which the issuer and its holders may sign. */
  readonly algorithms: readonly string[]
  readonly findKey: (header: AttestationHeader) => Promise<KeyObject>
  readonly binding: ExpectedBinding
  readonly now: Date
}

/**
 * The place in a status list where the issuer publishes the status of the attestation.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-6.2}
 */
export interface StatusReference {
  readonly uri: string
  readonly idx: number
}

/** A presentation that is verified except for its status, which the caller checks last. */
export interface VerifiedPresentation {
  /** The plain claims and those that the holder disclosed. */
  readonly claims: JsonObject
  readonly holderJkt: string
  readonly keyBinding: KeyBinding
  readonly transactionDataHashes: readonly string[] | null
  /** The status reference; null when the issuer publishes none. */
  readonly status: StatusReference | null
}

/**
 * Verifies signature, disclosures, times and key binding, in this order.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.3}
 * @throws ProtocolError with an `AttestationErrorCode`, and whatever `findKey` throws
 */
export function verifyPresentation(
  parsed: ParsedPresentation,
  expected: PresentationVerification,
): Promise<VerifiedPresentation> {
  return refusingLater('vp_token_invalid', async () => {
    const { attestation, disclosures } = parsed
    // Before the look-up of the key, which must not happen for an algorithm that is refused.
    ensure(expected.algorithms.includes(parsed.header.alg), 'malformed', 'The issuer may not sign with this alg')
    const key = await expected.findKey(parsed.header)
    await verifyJws(attestation, { key, algorithms: expected.algorithms })
    const { payload } = processSdJwt({ payload: attestation.payload, disclosures, plainOnly: PLAIN_ONLY })
    requireInTime(payload, expected.now)
    const status = readStatus(payload)
    const binding = await verifyBinding(parsed, payload, expected)
    const claims = Object.entries(payload).filter(([name]) => !MECHANISM.includes(name))
    return { claims: Object.fromEntries(claims), status, ...binding }
  })
}

function requireInTime(payload: JsonObject, time: Date): void {
  const now = epochSeconds(time)
  readOptionalTime(payload, 'iat')
  const nbf = readOptionalTime(payload, 'nbf')
  const exp = readOptionalTime(payload, 'exp')
  ensure(exp === undefined || exp > now, 'presentation_expired', 'The attestation has expired')
  ensure(nbf === undefined || nbf <= now + CLOCK_SKEW_SECONDS, 'malformed', 'The attestation is not valid yet')
}

/** Reads the status reference; throws when it is unreadable, because it could hide a revocation. */
function readStatus(payload: JsonObject): StatusReference | null {
  if (!Object.hasOwn(payload, 'status')) return null
  const { status } = payload
  const list = isJsonObject(status) ? status['status_list'] : undefined
  ensure(isJsonObject(list), 'malformed', 'The status of the attestation is in no status list')
  return { uri: readText(list, 'uri', URI_MAX_CHARS), idx: readAmount(list, 'idx') }
}

async function verifyBinding(
  { keyBinding: jws, boundText }: ParsedPresentation,
  { cnf }: JsonObject,
  { algorithms, binding, now }: PresentationVerification,
): Promise<Pick<VerifiedPresentation, 'holderJkt' | 'keyBinding' | 'transactionDataHashes'>> {
  ensure(jws !== null, 'holder_binding_missing', 'The presentation has no key binding')
  const holderKey = readHolderKey(cnf)
  const { thumbprint: holderJkt } = await importKey(holderKey)
  const isAskedFor = binding.jkt === null || binding.jkt === holderJkt
  ensure(isAskedFor, 'holder_binding_missing', 'The attestation is bound to another key than the one asked for')
  const keyBinding = await verifyKeyBinding(jws, {
    holderKey,
    algorithms,
    isAudience: (audience) => binding.audiences.includes(audience),
    isNonceValid: (nonce) => nonce !== '' && (binding.nonce === null || nonce === binding.nonce),
    boundText,
    now,
    codes: { audience: 'audience_mismatch', nonce: 'nonce_mismatch' },
  })
  return { holderJkt, keyBinding, transactionDataHashes: requireTransactionData(jws.payload, binding) }
}

function readHolderKey(cnf: unknown): PublicJwk {
  const isBound = isJsonObject(cnf) && Object.hasOwn(cnf, 'jwk')
  ensure(isBound, 'holder_binding_missing', 'The attestation is bound to no key')
  return parsePublicJwk(cnf['jwk'])
}

/**
 * Returns the hashes of the transaction data, which must be those of the texts as sent, one for each and in the same
 * order. Returns null when there are none; throws then if texts were sent and no other presentation may sign them.
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#appendix-B.3.3.1}
 */
function requireTransactionData(claims: JsonObject, binding: ExpectedBinding): readonly string[] | null {
  const { transactionData: sent, strongAuthentication, isOneOfSeveral = false } = binding
  const hashes = claims['transaction_data_hashes']
  if (hashes === undefined && isOneOfSeveral) return null
  if (strongAuthentication !== undefined) requireStrongAuthentication(claims, strongAuthentication.responseMode)
  if (hashes === undefined) {
    ensure(sent === undefined, 'malformed', 'The key binding has no hashes of the transaction data')
    return null
  }
  const isList = Array.isArray(hashes) && hashes.every((hash): hash is string => typeof hash === 'string')
  ensure(isList && hashes.length > 0, 'malformed', 'The hashes of the transaction data are malformed')
  if (sent === undefined) return hashes
  const { transaction_data_hashes_alg: algorithm = 'sha-256' } = claims
  ensure(algorithm === 'sha-256', 'malformed', 'The hash algorithm of the transaction data is not supported')
  const isSame = areEqual(
    hashes,
    sent.map((text) => sha256Base64url(text)),
  )
  ensure(isSame, 'malformed', 'The hashes of the transaction data are wrong')
  return hashes
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}
