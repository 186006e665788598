import type * as z from 'zod'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { epochSeconds } from '../../base/protocol/claims'
import type { JsonObject } from '../../base/protocol/encoding'
import type { MandateClaims } from '../../base/protocol/mandate'
import { canonicalAudience } from '../../base/protocol/uri'
import { type SettlementAnswer, settleMandate } from '../../money/settlement'
import { findConnectedAccount } from '../../wallet/merchants'
import type { SandboxMerchant } from './catalog-data'
import { applicationFeeOf, findMerchantByAudience } from './merchants'
import { consumeNonce, isNonceLive } from './nonces'
import {
  isLapsed,
  nonceMismatch,
  type Presented,
  readClaimed,
  requireLivingMandate,
  verifyPresentation,
} from './presentation'
import {
  digestOfNamedOffer,
  priceOrder,
  requireMandateCovers,
  requireMandateForOrder,
  requireMerchantsOffer,
  requireSameDigest,
  sellsAll,
} from './purchase'
import type { verifyMandateBody } from './wire'

type Request = z.output<typeof verifyMandateBody>

/** Where a presentation arrives: at one merchant, or at the verifier that stands in for any. */
export interface Door {
  /** Null where any merchant's mandates are taken. */
  readonly merchant: SandboxMerchant | null
  /** The audience that is expected when the mandate itself does not decide. */
  readonly audience: string | null
  /** Whose nonces count beside the audience's own. */
  readonly verifiers: readonly string[]
}

/**
 * Verifies a presentation, uses its nonce up and charges the mandate on behalf of its client. A repetition under the
 * same key needs a fresh nonce and gets the same answer, even when the mandate has lapsed since: what was admitted in
 * time runs to its end.
 */
export async function chargePresentation(call: AnonymousCall, request: Request, door: Door): Promise<SettlementAnswer> {
  const presented = await verifyAtDoor(call, request, door)
  // A mandate that has lapsed buys nothing new: there is no purchase to check, only an earlier answer to repeat.
  if (!isLapsed(presented)) checkPurchase(call, { request, door, ...presented })
  return settle(call, request, presented)
}

async function verifyAtDoor(call: AnonymousCall, request: Request, door: Door): Promise<Presented> {
  const claimed = readClaimed(request.presentation)
  // With no audience at all the presentation is malformed, which its verification says.
  const audience = door.audience ?? claimed.audience ?? ''
  const use = { nonce: claimed.nonce ?? '', verifiers: [...door.verifiers, audience] }
  const isNamed = request.nonce === undefined || request.nonce === claimed.nonce
  const isLive = isNamed && claimed.nonce !== null && (await isNonceLive(call, use))
  const merchant = door.merchant ?? findMerchantByAudience(call.platform, audience)
  const named = merchant === null ? undefined : digestOfNamedOffer(call.platform, merchant, request)
  const presented = await verifyPresentation(call, request.presentation, {
    audience,
    nonce: isLive ? claimed.nonce : null,
    offerDigest: named ?? request.offer_digest,
  })
  const isConsumed = await consumeNonce(call, use)
  if (isConsumed) return presented
  requireLivingMandate(presented)
  throw nonceMismatch()
}

interface Visit {
  readonly request: Request
  readonly door: Door
  readonly claims: MandateClaims
  readonly disclosed: JsonObject
}

/** A merchant holds the purchase against its own catalog; the verifier for all knows catalogs of the sandbox only. */
function checkPurchase({ platform }: AnonymousCall, { request, door, claims, disclosed }: Visit): void {
  requireSameDigest(request, claims)
  if (door.merchant !== null) requireMerchantsOffer({ platform, merchant: door.merchant }, request, claims)
  const seller = door.merchant ?? findMerchantByAudience(platform, claims.aud)
  const isJudge = seller !== null && (seller === door.merchant || sellsAll(seller, request.line_items))
  if (isJudge) requireMandateForOrder(claims, disclosed, priceOrder(seller, request.line_items))
  else requireMandateCovers(claims, request.line_items)
}

async function settle(call: AnonymousCall, request: Request, presented: Presented): Promise<SettlementAnswer> {
  const { claims } = presented
  const isSandboxMerchant = findMerchantByAudience(call.platform, claims.aud) !== null
  try {
    return await settleMandate(call, {
      clientId: claims.client_id,
      idempotencyKey: request.idempotency_key ?? `mandate:${claims.jti}`,
      mandateJwt: request.presentation,
      token: null,
      connectedAccountId: await findConnectedAccount(call.platform.db, canonicalAudience(claims.aud)),
      applicationFeeMinor: isSandboxMerchant ? applicationFeeOf(claims.amount_minor) : 0,
      verify: async () => requireLivingMandate(presented),
    })
  } catch (error) {
    throw asMandateRefusal(call, error, claims)
  }
}

/** The mandate may lapse between its verification and the charge; the presenter holds no token that could be invalid. */
function asMandateRefusal({ now }: AnonymousCall, error: unknown, claims: MandateClaims): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'invalid_token') return error
  const code = claims.exp <= epochSeconds(now) ? 'mandate_expired' : 'mandate_status_revoked'
  return new ServiceError(code, error.description, { cause: error })
}
