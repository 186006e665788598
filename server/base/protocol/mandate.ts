import type { KeyObject } from 'node:crypto'
import { isSameAudience } from './audience'
import { epochSeconds, readAmount, readOptionalText, readText, readTime } from './claims'
import { decodeJws, type SigningKey, verifyEddsa } from './eddsa'
import { isJsonObject, type JsonObject } from './encoding'
import { ensure, refusingLater } from './errors'
import { type PublicJwk, parsePublicJwk } from './jwk'
import { type ExpectedKeyBinding, type KeyBinding, verifyMandateKeyBinding } from './key-binding'
import { importKey } from './key-import'
import {
  CLIENT_ID_MAX_CHARS,
  CLOCK_SKEW_SECONDS,
  JTI_MAX_CHARS,
  PRESENTATION_MAX_BYTES,
  URI_MAX_CHARS,
} from './lifetimes'
import { issueSdJwt, parseDisclosures, processSdJwt, splitSdJwt } from './sd-jwt'

/** The media type of an SD-JWT VC. The former `vc+sd-jwt`, no longer in the draft, is refused. */
const MANDATE_TYPE = 'dc+sd-jwt'

/**
 * The plain claims of a mandate.
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-2.2}
 */
export interface MandateClaims {
  readonly iss: string
  /** The merchant's audience. */
  readonly aud: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  /** The mandate_id. */
  readonly jti: string
  readonly vct: string
  readonly client_id: string
  readonly cnf: { readonly jwk: PublicJwk; readonly jkt: string }
  readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } }
  readonly amount_minor: number
  readonly currency: string
  readonly offer_id?: string
  readonly offer_digest?: string
}

/** The claims of a mandate that its holder may withhold. */
export interface MandateDisclosables {
  /** A reference to the principal, never personal data in clear. */
  readonly principal?: string
  readonly line_items?: readonly JsonObject[]
  readonly instrument?: JsonObject
  readonly caps?: JsonObject
  /** The age that the merchant requires, as a member that is true because the person has reached it. */
  readonly age_equal_or_over?: Readonly<Record<string, true>>
}

/** Claims that determine whether a mandate is valid, so they must not be in disclosures. */
const PLAIN_ONLY = [
  'iss',
  'aud',
  'iat',
  'nbf',
  'exp',
  'jti',
  'sub',
  'client_id',
  'cnf',
  'status',
  'vct',
  'vct#integrity',
  'aka_vcts',
  'amount_minor',
  'currency',
  'offer_id',
  'offer_digest',
]

/** Returns the credential type of a payment mandate, which is the address of its type metadata. */
export function mandateType(issuer: string): string {
  return `${issuer}/vct/payment-mandate/1`
}

/** The issuer, holder, claims, times and signing key of a mandate. */
export interface MandateInput {
  readonly issuer: string
  readonly audience: string
  readonly mandateId: string
  readonly clientId: string
  /** The key that the mandate is bound to, with its thumbprint. */
  readonly holder: { readonly jwk: PublicJwk; readonly jkt: string }
  readonly status: { readonly idx: number; readonly uri: string }
  readonly amountMinor: number
  readonly currency: string
  readonly offerId?: string
  readonly offerDigest?: string
  /** The disclosures of `MandateDisclosables`, made by `createDisclosures`. */
  readonly disclosures: readonly string[]
  readonly issuedAt: Date
  readonly ttlSeconds: number
  readonly key: SigningKey
}

/**
 * Issues a mandate as SD-JWT VC with all its disclosures; the text ends with a tilde.
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-sd-jwt-vc#section-2}
 */
export function issueMandate(input: MandateInput): string {
  const { holder, offerId, offerDigest, disclosures, key } = input
  const { kid: _kid, use: _use, alg: _alg, ...jwk } = holder.jwk
  const iat = epochSeconds(input.issuedAt)
  const claims = {
    iss: input.issuer,
    aud: input.audience,
    iat,
    nbf: iat,
    exp: iat + input.ttlSeconds,
    jti: input.mandateId,
    vct: mandateType(input.issuer),
    client_id: input.clientId,
    cnf: { jwk, jkt: holder.jkt },
    status: { status_list: { idx: input.status.idx, uri: input.status.uri } },
    amount_minor: input.amountMinor,
    currency: input.currency,
    ...(offerId !== undefined && { offer_id: offerId }),
    ...(offerDigest !== undefined && { offer_digest: offerDigest }),
  } satisfies MandateClaims
  return issueSdJwt({ typ: MANDATE_TYPE, claims, disclosures, key })
}

/** The keys and values that a mandate must match. */
export interface MandateVerification {
  readonly issuer: string
  readonly now: Date
  readonly findKey: (kid: string) => KeyObject | undefined
  readonly expectedAudience?: string
  /**
   * When given, the presentation must have a key binding for this audience, with one of its nonces, made at its `now`.
   */
  readonly keyBinding?: Pick<ExpectedKeyBinding, 'audience' | 'isNonceValid'> & { readonly now?: Date }
  /** The digest of the verifier's offer. When given, the mandate must have the same. */
  readonly offerDigest?: string
}

/** A mandate that is verified except for its status, which the caller checks last. */
export interface VerifiedMandate {
  readonly claims: MandateClaims
  /** The claims that the holder chose to disclose. */
  readonly disclosed: JsonObject
  readonly holderJkt: string
  /** The key binding; null when none was required. */
  readonly keyBinding: KeyBinding | null
}

/**
 * Verifies a mandate, with or without key binding, in this order: form, signature, disclosures, time, audience, key
 * binding, offer. The caller checks the status afterwards, because it must not be fetched for an invalid mandate.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.3}
 */
export function verifyMandate(presentation: string, expected: MandateVerification): Promise<VerifiedMandate> {
  return refusingLater('mandate_invalid', async () => {
    const parts = splitSdJwt(presentation)
    const payload = readSignedPayload(parts.issuerJwt, expected)
    const processed = processSdJwt({
      payload,
      disclosures: parseDisclosures(parts.disclosures),
      plainOnly: PLAIN_ONLY,
    })
    const claims = await readClaims(processed.payload, expected.issuer)
    requireInTime(claims, expected.now)
    const isForAudience =
      expected.expectedAudience === undefined || isSameAudience(claims.aud, expected.expectedAudience)
    ensure(isForAudience, 'mandate_audience_mismatch', 'The mandate is for another merchant')
    const keyBinding = expected.keyBinding
      ? await readKeyBinding(parts.keyBindingJwt, {
          now: expected.now,
          ...expected.keyBinding,
          holderKey: claims.cnf.jwk,
          boundText: parts.boundText,
        })
      : null
    const isForOffer = expected.offerDigest === undefined || claims.offer_digest === expected.offerDigest
    ensure(isForOffer, 'offer_digest_mismatch', 'The mandate is for another offer')
    return { claims, disclosed: processed.disclosed, holderJkt: claims.cnf.jkt, keyBinding }
  })
}

function readSignedPayload(issuerJwt: string, { findKey }: MandateVerification): JsonObject {
  const jws = decodeJws(issuerJwt, { maxBytes: PRESENTATION_MAX_BYTES })
  ensure(jws.header.typ === MANDATE_TYPE, 'mandate_invalid', 'The typ of the mandate is not dc+sd-jwt')
  const key = jws.header.kid === undefined ? undefined : findKey(jws.header.kid)
  ensure(key, 'mandate_invalid', 'The mandate is not signed by a known key')
  verifyEddsa(jws, { key })
  return jws.payload
}

async function readKeyBinding(jwt: string | null, expected: ExpectedKeyBinding): Promise<KeyBinding> {
  // RFC 9901 section 7.3 (2): whether key binding is needed is the verifier's decision, never the presenter's.
  ensure(jwt !== null, 'mandate_invalid', 'The presentation has no key binding')
  return verifyMandateKeyBinding(jwt, expected)
}

function requireInTime({ nbf, exp }: MandateClaims, time: Date): void {
  const now = epochSeconds(time)
  ensure(exp > now, 'mandate_expired', 'The mandate has expired')
  ensure(nbf <= now + CLOCK_SKEW_SECONDS, 'mandate_invalid', 'The mandate is not valid yet')
}

async function readClaims(payload: JsonObject, issuer: string): Promise<MandateClaims> {
  const offerId = readOptionalText(payload, 'offer_id', JTI_MAX_CHARS)
  const offerDigest = readOptionalText(payload, 'offer_digest', JTI_MAX_CHARS)
  ensure(payload['iss'] === issuer, 'malformed', 'The mandate is of another issuer')
  ensure(payload['vct'] === mandateType(issuer), 'malformed', 'The credential is not a payment mandate')
  return {
    iss: issuer,
    aud: readText(payload, 'aud', URI_MAX_CHARS),
    iat: readTime(payload, 'iat'),
    nbf: readTime(payload, 'nbf'),
    exp: readTime(payload, 'exp'),
    jti: readText(payload, 'jti', JTI_MAX_CHARS),
    vct: mandateType(issuer),
    client_id: readText(payload, 'client_id', CLIENT_ID_MAX_CHARS),
    cnf: await readConfirmation(payload),
    status: readStatus(payload),
    amount_minor: readAmount(payload, 'amount_minor'),
    currency: readText(payload, 'currency', 3),
    ...(offerId !== undefined && { offer_id: offerId }),
    ...(offerDigest !== undefined && { offer_digest: offerDigest }),
  }
}

/** Reads the key of RFC 7800 section 3.2 and its thumbprint, which must match it. */
async function readConfirmation({ cnf }: JsonObject): Promise<MandateClaims['cnf']> {
  ensure(isJsonObject(cnf), 'malformed', 'The mandate is bound to no key')
  const jwk = parsePublicJwk(cnf['jwk'])
  const { thumbprint: jkt } = await importKey(jwk)
  ensure(cnf['jkt'] === jkt, 'malformed', 'The keys in the cnf of the mandate differ')
  return { jwk, jkt }
}

function readStatus({ status }: JsonObject): MandateClaims['status'] {
  const list = isJsonObject(status) ? status['status_list'] : undefined
  ensure(isJsonObject(list), 'malformed', 'The mandate names no status list')
  return { status_list: { idx: readAmount(list, 'idx'), uri: readText(list, 'uri', URI_MAX_CHARS) } }
}
