import type * as z from 'zod'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { epochSeconds } from '../../base/protocol/claims'
import type { JsonObject } from '../../base/protocol/encoding'
import type { MandateClaims } from '../../base/protocol/mandate'
import { type SettlementAnswer, settleMandate } from '../../money/settlement'
import type { SandboxMerchant } from './catalog-data'
import { applicationFeeOf, findMerchantByAudience } from './merchants'
import { consumeNonce, findPresentedAt } from './nonces'
import {
  buildNonceMismatchError,
  isLapsed,
  parseUnverified,
  requireActiveMandate,
  type VerifiedPresentation,
  verifyPresentation,
} from './presentation'
import {
  digestOfNamedOffer,
  priceOrder,
  requireApprovedItems,
  requireMandateCovers,
  requireMandateForOrder,
  requireMerchantsOffer,
  requireSameDigest,
  sellsAll,
} from './purchase'
import { type ProvenAges, readProvenAges, requireAge } from './require-age'
import type { verifyMandateBody } from './wire'

type Request = z.output<typeof verifyMandateBody>

/** The recipient of a presentation: one merchant, or the verifier for any merchant. */
export interface PresentationTarget {
  /** The merchant; null for mandates of any merchant. */
  readonly merchant: SandboxMerchant | null
  /** The expected audience; null for the mandate's own. */
  readonly audience: string | null
  /** The verifiers whose nonces are accepted beside the audience's own. */
  readonly verifiers: readonly string[]
}

/** The settlement of the mandate, and the proven ages of the buyer. */
interface ChargedPresentation {
  readonly answer: SettlementAnswer
  readonly ages: ProvenAges | null
}

/**
 * Verifies a presentation, consumes its nonce and charges the mandate on behalf of its client. A repetition (the same
 * presentation under the same key, or the same mandate with a new nonce) continues the same settlement and gets the
 * same answer, even when the mandate has lapsed since; it never charges again.
 */
export async function chargePresentation(
  call: AnonymousCall,
  request: Request,
  target: PresentationTarget,
): Promise<ChargedPresentation> {
  const presented = await verifyAndConsumeNonce(call, request, target)
  // A lapsed mandate can only repeat an earlier answer, so there is no purchase to check.
  if (!isLapsed(presented)) requireCoveredPurchase(call, { request, target, ...presented })
  return { answer: await settle(call, request, presented), ages: readProvenAges(presented.disclosed) }
}

async function verifyAndConsumeNonce(
  call: AnonymousCall,
  request: Request,
  target: PresentationTarget,
): Promise<VerifiedPresentation> {
  const claimed = parseUnverified(request.presentation)
  // Without any audience the presentation is malformed, and its verification refuses it.
  const audience = target.audience ?? claimed.audience ?? ''
  const use = { nonce: claimed.nonce ?? '', verifiers: [...target.verifiers, audience] }
  const isNamed = request.nonce === undefined || request.nonce === claimed.nonce
  const presentedAt = isNamed ? await findPresentedAt(call, use, request.presentation) : null
  const merchant = target.merchant ?? findMerchantByAudience(call.platform, audience)
  const named = merchant === null ? undefined : digestOfNamedOffer(call.platform, merchant, request)
  const presented = await verifyPresentation(call, request.presentation, {
    audience,
    nonce: presentedAt === null ? null : claimed.nonce,
    presentedAt: presentedAt ?? call.now,
    offerDigest: named ?? request.offer_digest,
  })
  const { presentation } = request
  const idempotencyKey = keyOf(request, presented.claims)
  if (await consumeNonce(call, { ...use, presentation, idempotencyKey })) return presented
  requireActiveMandate(presented)
  throw buildNonceMismatchError()
}

function keyOf({ idempotency_key }: Request, { jti }: MandateClaims): string {
  return idempotency_key ?? `mandate:${jti}`
}

interface VerifiedPurchase {
  readonly request: Request
  readonly target: PresentationTarget
  readonly claims: MandateClaims
  readonly disclosed: JsonObject
}

/** Checks a purchase: a merchant against its own catalog, the verifier for all against the catalogs of the sandbox. */
function requireCoveredPurchase(
  { platform }: AnonymousCall,
  { request, target, claims, disclosed }: VerifiedPurchase,
): void {
  requireSameDigest(request, claims)
  if (target.merchant !== null) requireMerchantsOffer({ platform, merchant: target.merchant }, request, claims)
  requireApprovedItems(claims, disclosed, request.line_items)
  const seller = target.merchant ?? findMerchantByAudience(platform, claims.aud)
  const isInCatalog = seller !== null && (seller === target.merchant || sellsAll(seller, request.line_items))
  if (!isInCatalog) return requireMandateCovers(claims, request.line_items)
  requireMandateForOrder(claims, disclosed, priceOrder(seller, request.line_items))
  requireAge(seller, request.line_items, disclosed)
}

async function settle(
  call: AnonymousCall,
  request: Request,
  presented: VerifiedPresentation,
): Promise<SettlementAnswer> {
  const { claims } = presented
  const isSandboxMerchant = findMerchantByAudience(call.platform, claims.aud) !== null
  try {
    return await settleMandate(call, {
      clientId: claims.client_id,
      idempotencyKey: keyOf(request, claims),
      mandateJwt: request.presentation,
      token: null,
      connectedAccountId: null,
      applicationFeeMinor: isSandboxMerchant ? applicationFeeOf(claims.amount_minor) : 0,
      verify: async () => requireActiveMandate(presented),
    })
  } catch (error) {
    throw toMandateError(call, error, claims)
  }
}

/**
 * Maps invalid_token to a mandate code: the mandate may lapse between verification and charge, and the presenter has no
 * token.
 */
function toMandateError({ now }: AnonymousCall, error: unknown, claims: MandateClaims): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_token') return error
  const code = claims.exp <= epochSeconds(now) ? 'mandate_expired' : 'mandate_status_revoked'
  return new ServiceError(code, error.description, { cause: error })
}
