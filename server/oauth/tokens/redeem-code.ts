import type { ClientCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import { canonicalAudience } from '../../base/protocol/audience'
import { sha256Base64url } from '../../base/protocol/encoding'
import { REFRESH_TOKEN_TTL_SECONDS } from '../../base/protocol/lifetimes'
import { isCodeVerifier, verifierMatches } from '../../base/protocol/pkce'
import { describeRequiredAge } from '../../wallet/age-proofs'
import { asksWithinLimits, isRemembered, rememberedSubject } from '../../wallet/approvals'
import { buildLapsedError, hasLapsed } from '../../wallet/merchants'
import { type CodeRow, findCode } from '../authorization'
import type { PaymentAuthorization } from '../authorization/contract'
import { requireAdmission } from '../clients'
import { buildListFullError, discloseMandate, drawStatusIndexes, type NewMandate, signMandate } from '../mandates'
import {
  buildInvalidGrantError,
  requireActiveGrant,
  requireHolder,
  requireOpaque,
  requireUnusedProofs,
  revokeReplayedFamily,
} from './checks'
import type { TokenParameters } from './contract'
import { buildTokenResponse, type PreparedGrant } from './grant'
import { type Coverage, narrowGrant } from './narrow'
import { type Redemption, redeemCode } from './store'

/**
 * Prepares the code grant. Everything is checked before the only statement that consumes anything, so a refused request
 * leaves the code usable; only a second redemption by its holder ends the family (RFC 6749 section 4.1.2).
 */
export async function prepareRedemption(call: ClientCall, input: TokenParameters): Promise<PreparedGrant> {
  const { platform, now } = call
  const code = requireOpaque(input.code, 'code')
  if (input.redirect_uri === undefined) throw new ServiceError('invalid_request', 'redirect_uri is required.')
  const codeHash = sha256Base64url(code)
  const row = await findCode(platform.db, { codeHash, now })
  requireHolder(call, row, 'code')
  if (row.redeemed_at !== null) {
    await requireUnusedProofs(call)
    return revokeReplayedFamily(call, 'code', row.family_id)
  }
  if (row.expires_at <= now) throw buildInvalidGrantError('The code has expired.')
  requireActiveGrant(row)
  requireSameRequest(row, input)
  const payment = findPayment(row)
  const coverage = narrowGrant(row, { ...input, scope: undefined })
  return prepare(call, { row, codeHash, coverage, payment, provenAge: requireAge(row) })
}

/**
 * Returns the age for the mandate; null when the merchant requires none. Throws when the proof of age has ended since.
 */
function requireAge({ min_age: age, age_proven: isProven }: CodeRow): number | null {
  if (age !== null && !isProven) throw buildInvalidGrantError(describeRequiredAge(age))
  return age
}

function requireSameRequest(row: CodeRow, input: TokenParameters): void {
  if (row.redirect_uri !== input.redirect_uri)
    throw buildInvalidGrantError('redirect_uri does not match the pushed request.')
  const verifier = input.code_verifier
  if (verifier === undefined || !isCodeVerifier(verifier) || !verifierMatches(verifier, row.code_challenge)) {
    throw buildInvalidGrantError('code_verifier does not match.')
  }
}

interface CheckedCode {
  readonly row: CodeRow
  readonly codeHash: string
  readonly coverage: Coverage
  readonly payment: PaymentAuthorization | undefined
  readonly provenAge: number | null
}

function prepare(call: ClientCall, { row, codeHash, coverage, payment, provenAge }: CheckedCode): PreparedGrant {
  const { platform, actor, now } = call
  const familyId = platform.random.uuid()
  const refreshToken = actor.client.grantTypes.includes('refresh_token') ? platform.random.token(32) : null
  const { principal_id: principalId } = row
  const mandate = payment === undefined ? null : newMandate(call, payment, { principalId, provenAge })
  const familyExpiresAt = new Date(now.getTime() + REFRESH_TOKEN_TTL_SECONDS * 1000)
  const redemption: Redemption = {
    codeHash,
    clientId: row.client_id,
    principalId: row.principal_id,
    familyId,
    kind: payment === undefined ? 'wallet' : 'payment',
    remembered: findRemembered(row, mandate?.merchantAudience ?? null),
    refreshTokenHash: refreshToken === null ? null : sha256Base64url(refreshToken),
    familyExpiresAt,
    mandate,
    now,
  }
  return {
    familyId,
    write: (db) => redeemCode(db, redemption, actor.replayKeys),
    reply: ({ status_index: statusIndex }) => ({
      ...buildTokenResponse(
        platform,
        { ...row, familyId, mandateId: mandate?.id ?? null, familyExpiresAt, now },
        { coverage, refreshToken },
      ),
      ...mandateMembers(call, { row, payment, mandate, statusIndex }),
    }),
    explain: (fresh) => throwUnredeemed(call, codeHash, fresh),
  }
}

const findPayment = ({ authorization_details: details }: CodeRow): PaymentAuthorization | undefined =>
  details.find((detail): detail is PaymentAuthorization => detail.type === 'oid4ac_mandate')

/**
 * Returns the subject of the remembered approval that the tokens depend on: that of wallet access, or that of the merchant
 * of a purchase that nobody was asked about. Null for other purchases. `audience` is the merchant's; null for wallet access.
 */
function findRemembered(row: CodeRow, audience: string | null): string | null {
  if (audience === null) return rememberedSubject({ payment: null, scope: row.scope })
  if (row.authorization_id !== null || !asksWithinLimits(row.approval_rule)) return null
  return rememberedSubject({ payment: { audience }, scope: row.scope })
}

interface Buyer {
  readonly principalId: string
  readonly provenAge: number | null
}

function newMandate({ platform, now }: ClientCall, payment: PaymentAuthorization, buyer: Buyer): NewMandate {
  const { merchant: audience, line_items: lineItems } = payment
  return {
    id: platform.random.uuid(),
    merchantAudience: canonicalAudience(audience),
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    offerId: payment.offer_id ?? null,
    offerDigest: payment.offer_digest ?? null,
    statusIndexes: drawStatusIndexes(platform.random),
    expiresAt: new Date(now.getTime() + platform.config.mandateTtlSeconds * 1000),
    disclosures: discloseMandate(platform, { ...buyer, audience, lineItems }),
  }
}

interface IssuedMandate {
  readonly row: CodeRow
  readonly payment: PaymentAuthorization | undefined
  readonly mandate: NewMandate | null
  readonly statusIndex: number | null
}

function mandateMembers({ platform, now }: ClientCall, { row, payment, mandate, statusIndex }: IssuedMandate) {
  if (payment === undefined || mandate === null) return {}
  invariant(statusIndex !== null, 'a mandate that was stored has a place')
  const jwt = signMandate(platform, {
    mandateId: mandate.id,
    clientId: row.client_id,
    audience: payment.merchant,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    disclosures: mandate.disclosures,
    offerId: payment.offer_id,
    offerDigest: payment.offer_digest,
    holderKey: row.dpop_jwk,
    holderJkt: row.jkt,
    statusIndex,
    now,
  })
  return { mandate_jwt: jwt, mandate_id: mandate.id }
}

/**
 * Throws the reason why no code was redeemed: a proof was used before, another request was faster, the client was
 * revoked, the access ended, the merchant was forgotten or is no longer verified, or no place was free.
 */
async function throwUnredeemed(call: ClientCall, codeHash: string, fresh: readonly string[]): Promise<never> {
  requireAdmission({ active: true, fresh }, call.actor.replayKeys)
  const row = await findCode(call.platform.db, { codeHash, now: call.now })
  if (row?.redeemed_at != null) return revokeReplayedFamily(call, 'code', row.family_id)
  if (row !== null) requireActiveGrant(row)
  if (row !== null && row.expires_at > call.now) throw await explainUnusedCode(call, row)
  throw buildInvalidGrantError('The code has expired.')
}

async function explainUnusedCode({ platform, now }: ClientCall, row: CodeRow): Promise<ServiceError> {
  const payment = findPayment(row)
  if (payment === undefined) return buildInvalidGrantError('The person has ended this access.')
  const audience = canonicalAudience(payment.merchant)
  if (await hasLapsed(platform.db, audience, now)) return buildLapsedError()
  const subject = findRemembered(row, audience)
  const isForgotten = subject !== null && !(await isRemembered(platform.db, { clientId: row.client_id, subject }))
  return isForgotten
    ? buildInvalidGrantError('The person wants to be asked about this merchant again.')
    : buildListFullError()
}
