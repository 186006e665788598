import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import type { SandboxMerchant } from './catalog-data'
import type { placeOrderEndpoint } from './contract'
import { buildNonceChallengeError, buildProofChallengeError, requireMerchantProof } from './dpop-challenge'
import { applicationFeeOf, audienceOf, connectedAccountOf, requireMerchant } from './merchants'
import { consumeNonce } from './nonces'
import { renderReceipt } from './order-receipt'
import { insertOrder, listOrdersOf, lockOrderBook, type NewOrder, type OrderRow } from './order-store'
import { requireActiveMandate, type VerifiedPresentation, verifyPresentation } from './presentation'
import {
  digestOfNamedOffer,
  priceOrder,
  requireApprovedItems,
  requireMandateForOrder,
  requireMerchantsOffer,
} from './purchase'
import { requireAge } from './require-age'

type PlaceOrder = InputOf<typeof placeOrderEndpoint>

/**
 * Creates an order, which the agent then settles at the authorization server. Repeating it with the same key, or with
 * the same mandate and a new nonce, returns the same order, even when the mandate has lapsed since.
 */
export async function placeOrder(call: AnonymousCall, input: PlaceOrder): Promise<Reply> {
  const merchant = requireMerchant(input.merchant_id)
  const presented = await verifyPossession(call, merchant, input)
  const { claims, disclosed } = presented
  const { platform, now } = call
  requireApprovedItems(claims, disclosed, input.line_items)
  const priced = priceOrder(merchant, input.line_items)
  requireMerchantsOffer({ platform, merchant }, input, claims)
  requireMandateForOrder(claims, disclosed, priced)
  const provenAge = requireAge(merchant, input.line_items, disclosed)
  const order: NewOrder = {
    merchant_id: merchant.id,
    idempotency_key: input.idempotency_key,
    mandate_id: claims.jti,
    request_digest: digestOf(input, claims.jti),
    amount_minor: priced.amountMinor,
    currency: priced.currency,
    line_items: priced.lines,
    created_at: now,
    proven_age: provenAge,
  }
  const { row, isNew } = await platform.db.transaction((tx) => findOrInsert(tx, { order, merchant, presented }))
  return Reply.json(
    {
      order_id: row.order_id,
      status: row.status,
      receipt: renderReceipt(platform, merchant, row),
      settlement_request: {
        connected_account_id: connectedAccountOf(merchant),
        application_fee_minor: applicationFeeOf(row.amount_minor),
      },
    },
    {},
    isNew ? 201 : 200,
  )
}

/** Verifies that proof and presentation have the same key and nonce, and consumes the nonce. */
async function verifyPossession(
  call: AnonymousCall,
  merchant: SandboxMerchant,
  input: PlaceOrder,
): Promise<VerifiedPresentation> {
  const audience = audienceOf(call.platform, merchant)
  const proof = await requireMerchantProof(call, {
    proof: input.headers.dpop,
    audience,
    uri: `${audience}/payments`,
    presentation: input.presentation,
  })
  const presented = await verifyPresentation(call, input.presentation, {
    audience,
    nonce: proof.nonce,
    presentedAt: proof.presentedAt,
    offerDigest: digestOfNamedOffer(call.platform, merchant, input),
  })
  if (presented.claims.cnf.jkt !== proof.jkt)
    throw buildProofChallengeError('The DPoP proof is not by the key of the mandate.')
  const { presentation, idempotency_key: idempotencyKey } = input
  const isConsumed = await consumeNonce(call, {
    nonce: proof.nonce,
    verifiers: [audience],
    presentation,
    idempotencyKey,
  })
  if (isConsumed) return presented
  throw await buildNonceChallengeError(call, audience)
}

function digestOf({ line_items, offer_id, offer_digest }: PlaceOrder, mandateId: string): string {
  return sha256Base64url(
    canonicalJson({
      mandate_id: mandateId,
      line_items,
      ...(offer_id !== undefined && { offer_id }),
      ...(offer_digest !== undefined && { offer_digest }),
    }),
  )
}

interface OrderToPlace {
  readonly order: NewOrder
  readonly merchant: SandboxMerchant
  readonly presented: VerifiedPresentation
}

async function findOrInsert(
  tx: Transaction,
  { order, merchant, presented }: OrderToPlace,
): Promise<{ row: OrderRow; isNew: boolean }> {
  await lockOrderBook(tx, merchant.id)
  const known = await listOrdersOf(tx, order)
  const underKey = known.find((row) => row.idempotency_key === order.idempotency_key)
  if (underKey !== undefined && underKey.request_digest !== order.request_digest) {
    throw new ServiceError('idempotency_conflict', 'The idempotency key was used for another order.')
  }
  const [row] = known
  if (row !== undefined && row.request_digest !== order.request_digest) {
    throw new ServiceError('mandate_consumed', 'The mandate was used for another order.')
  }
  if (row !== undefined) return { row, isNew: false }
  requireActiveMandate(presented)
  const [inserted] = await insertOrder(tx, order, merchant.orderPrefix)
  invariant(inserted !== undefined, 'an order that is neither known nor in conflict is written')
  return { row: inserted, isNew: true }
}
