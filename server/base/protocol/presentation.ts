/**
 * Presentations of SD-JWT VCs by issuers that a trust list names, EdDSA or ES256. Pure: the issuer's key comes in by a
 * callback, and the status is the caller's to look up, last, since none may be fetched for what is invalid anyway.
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

/** The media type of an SD-JWT VC. The transitional `vc+sd-jwt` is gone from the draft and refused. */
const ATTESTATION_TYPE = 'dc+sd-jwt'

/**
 * Claims that decide whether an attestation holds, so no disclosure may bring them, whole or in part.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-2.2.2.2}
 */
const PLAIN_ONLY = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'aka_vcts', 'status']

/** Members that say how the attestation is to be verified; all others are what it says of its subject. */
const MECHANISM = ['cnf', 'status', '_sd', '_sd_alg']

/** The header of an attestation, as far as it tells which key signed it. */
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
  /** Null in a presentation without key binding. */
  readonly keyBinding: DecodedJws | null
  /** What `sd_hash` is computed over. */
  readonly boundText: string
}

/**
 * Takes a presentation apart within its bounds (64 KiB, 64 disclosures, 16 levels), before any signature is checked.
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

/** What the key binding must be about. */
export interface ExpectedBinding {
  readonly audiences: readonly string[]
  /** Null: any, for the caller to compare. */
  readonly nonce: string | null
  /** The thumbprint of the holder's key; null: any key. */
  readonly jkt: string | null
  /** The transaction data of the request as they were sent, whose hashes must be in the key binding. */
  readonly transactionData?: readonly string[]
  /** Set where the key binding must say how the wallet authenticated its holder, for a response in this mode. */
  readonly strongAuthentication?: { readonly responseMode: string }
  /** Whether another presentation of the answer may sign the transaction data in the place of this one. */
  readonly isOneOfSeveral?: boolean
}

/** What a presentation is verified against. */
export interface PresentationVerification {
  /** Which algorithms the issuer and its holders may sign with. */
  readonly algorithms: readonly string[]
  readonly findKey: (header: AttestationHeader) => Promise<KeyObject>
  readonly binding: ExpectedBinding
  readonly now: Date
}

/**
 * Where the issuer publishes whether the attestation still holds.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-6.2}
 */
export interface StatusReference {
  readonly uri: string
  readonly idx: number
}

/** A presentation that is verified except for its status, which the caller checks last. */
export interface VerifiedPresentation {
  /** The claims with what the holder disclosed. */
  readonly claims: JsonObject
  readonly holderJkt: string
  readonly keyBinding: KeyBinding
  readonly transactionDataHashes: readonly string[] | null
  /** Null: the issuer publishes none. */
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
    // The list of algorithms before the key: none is looked up for an algorithm that would be refused anyway.
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

/** A status that cannot be read is refused: it would hide a revocation. */
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
 * The hashes of the texts as they were sent, one for each and in the same order.
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
